"""Writing messages and their files to the folder of deleted messages, before they are deleted.

A batch is a ZIP file: `about.json`, `messages.jsonl` with a message in each line, and the files that go with
them. It is complete and durable before its messages are deleted. If the process is killed in between, the
batch is written again, under the same name if nothing has changed.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from shutil import copyfileobj
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from chatcore.application.archives.format import encode, file_member
from chatcore.application.retention.scopes import RetentionScope
from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.disk import open_private, put_in_place, sync
from chatcore.domain.files.uploads import Attachment, file_key
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import Message
from chatcore.runtime.work import Work
from chatcore.storage import StorageNotReady
from chatcore.storage.files import FileMissing
from chatcore.version import version

FORMAT: Final = "chatcore deleted messages"
VERSION: Final = 1
DERIVED: Final = frozenset({"topic_key", "conversation"})
"""Attributes of messages that are left out, or written in another way."""


@dataclass(frozen=True, slots=True)
class ArchiveBatch:
    """Messages as they are written, with the files that go with them."""

    lines: Sequence[bytes]
    files: Sequence[Attachment]

    @property
    def digest(self) -> str:
        return sha256(b"".join(self.lines)).hexdigest()


def read_batch(view: View, message_ids: Sequence[MessageId]) -> ArchiveBatch:
    """Read messages, and those of their files that no other message links to."""
    attachments, held = view.snapshot.attachments, view.snapshot.holds.present().people
    messages = view.snapshot.messages.by_ids(message_ids)
    files = attachments.of_messages(message_ids)
    links = attachments.links([file.id for file in files]) if files else {}
    ids = frozenset(message_ids)
    files_of: dict[MessageId, list[Attachment]] = {message.id: [] for message in messages}
    for file in files:
        for link in links.get(file.id, ()):
            if link.message_id in files_of:
                files_of[link.message_id].append(file)
    gone = [
        file
        for file in files
        if file.owner_id not in held and ids.issuperset(link.message_id for link in links.get(file.id, ()))
    ]
    return ArchiveBatch(
        [encode(_as_written(message, files_of[message.id])) + b"\n" for message in messages], gone
    )


def _as_written(message: Message, files: Sequence[Attachment]) -> Mapping[str, object]:
    written = {name: value for name, value in message._asdict().items() if name not in DERIVED}
    people = None if message.conversation is None else sorted(message.conversation.user_ids)
    return {**written, "conversation": people, "files": [asdict(file) for file in files]}


def write_batch(
    svc: Services, folder: Path, scope: RetentionScope, batch: ArchiveBatch, people: Mapping[str, str]
) -> None:
    """Write a batch to the folder, durably; *people* are the names of accounts by their ids.

    :raises StorageNotReady: the disk refuses, or a file cannot be read at present
    """
    about = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": svc.now,
        "made_by": f"chatcore {version()}",
        "channel": None if scope.channel is None else scope.channel.name,
        "days": scope.days,
        "people": people,
    }
    month = f"{datetime.fromtimestamp(svc.now, UTC):%Y-%m}"
    path = folder / svc.settings.host / month / f"{batch.digest}.zip"
    try:
        svc.run_blocking(lambda: _write_archive(svc, path, about, batch), Work.ARCHIVES)
    except OSError as error:
        raise StorageNotReady(f"{path.parent}: {error.strerror or error}") from error


def _write_archive(svc: Services, path: Path, about: Mapping[str, object], batch: ArchiveBatch) -> None:
    """Write the batch to a file that has its name only when it is complete."""
    _make_folder(path.parent)
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)  # left by a process that was killed
    try:
        with open_private(unfinished) as out, ZipFile(out, "w", ZIP_DEFLATED) as archive:
            archive.writestr("about.json", encode(about))
            archive.writestr("messages.jsonl", b"".join(batch.lines))
            for file in batch.files:
                _copy_file(svc, archive, file_key(file.path_id))
        put_in_place(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _copy_file(svc: Services, archive: ZipFile, key: str) -> None:
    """Copy the bytes of a file, unless they were lost before."""
    with (
        suppress(FileMissing),
        svc.files.open(key) as file,
        archive.open(ZipInfo(file_member(key)), "w", force_zip64=True) as member,
    ):
        copyfileobj(file, member)


def _make_folder(folder: Path) -> None:
    """Make a folder that only its owner can read, durably."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        sync(folder.parent)
