"""What an account uses of its limits, for the organization's own tools."""

from collections.abc import Mapping

from chatcore.application.units import View
from chatcore.domain.files.uploads import MIB
from chatcore.domain.ids import UserId
from chatcore.domain.people.daily_use import Daily, daily_limit
from chatcore.domain.roles import SECONDS_PER_DAY


def usage_of(view: View, user_id: UserId) -> Mapping[str, tuple[int, int]]:
    """Return what the account has used, and its limit: the bytes of all its files (`file_bytes`), and what is
    counted by day, today (see `Daily`).
    """
    snapshot, today = view.snapshot, view.now // SECONDS_PER_DAY
    spaces = [uploads.space_of_user(user_id) for uploads in (snapshot.attachments, snapshot.uploads)]
    files = sum(space.size for space in spaces)
    daily = {
        str(what): (snapshot.daily_use.find(user_id, what, today), daily_limit(what, view.limits))
        for what in Daily
    }
    return {"file_bytes": (files, view.limits.max_upload_space_per_user_mib * MIB), **daily}
