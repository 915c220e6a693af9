"""Creating the accounts of a file, all or none."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, BinaryIO

from chatcore.cli.options import Failure

if TYPE_CHECKING:
    from chatcore.application.people.accounts import NewUser
    from chatcore.application.people.logins import Login
    from chatcore.application.services import Services
    from chatcore.application.units import Unit
    from chatcore.domain.people.users import User

MOST_ACCOUNTS = 500
"""Accounts of one file: all are created in one transaction, and other writers wait for it."""
MOST_BYTES = 2**20
"""Bytes of one file; it may be a device, which has no end."""
MOST_NAMED = 10
"""Lines that a refusal names."""
NEEDED_COLUMNS, POSSIBLE_COLUMNS = {"email", "name"}, {"email", "name", "role"}


def create_accounts(svc: "Services", file: BinaryIO) -> "Sequence[Login]":
    """Create an account for each line of a CSV file with the columns `email`, `name`, and perhaps `role`.

    :raises Failure: a file that is not in this form, or has too many lines; or lines that are refused, which
        the message names; then no account is created
    """
    from chatcore.application import units
    from chatcore.application.people.accounts import check_and_hash
    from chatcore.application.people.logins import login_as
    from chatcore.domain.errors import ChatError

    refused: list[str] = []
    accounts: list[tuple[int, NewUser]] = []
    for line, row in _read_rows(file):
        try:
            new = _read_account(row)
            check_and_hash(svc, new)
        except ChatError as error:
            refused.append(f"line {line}: {error}")
        else:
            accounts.append((line, new))
    if refused:
        more = f"; and {len(refused) - MOST_NAMED} more" if len(refused) > MOST_NAMED else ""
        raise Failure(f"No account was created; {'; '.join(refused[:MOST_NAMED])}{more}")
    return [login_as(svc, user) for user in units.write(svc, _add_accounts, accounts)]


def _read_rows(file: BinaryIO) -> "Iterator[tuple[int, dict[str, str]]]":
    """Yield the rows by column, each with the number of its line in the file."""
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Failure(f"The file has more than {MOST_BYTES} bytes; divide it.")
    try:
        text = StringIO(content.decode("utf-8-sig"), newline="")
        reader = csv.DictReader(text, strict=True, restval="")
        columns = reader.fieldnames or ()
        if len(columns) > len({*columns}) or not NEEDED_COLUMNS <= {*columns} <= POSSIBLE_COLUMNS:
            raise Failure("The first line must name the columns: email,name or email,name,role.")
        for number, row in enumerate(reader, start=1):
            if number > MOST_ACCOUNTS:
                raise Failure(f"At most {MOST_ACCOUNTS} accounts are created at once; divide the file.")
            yield reader.line_num, row
    except (csv.Error, UnicodeDecodeError) as error:
        raise Failure(f"The file is not CSV in UTF-8: {error}.") from error


def _read_account(row: "dict[str, str]") -> "NewUser":
    from chatcore.application.people.accounts import NewUser
    from chatcore.domain.errors import BadRequest
    from chatcore.domain.roles import Role

    if None in row:
        raise BadRequest("there are more values than columns")
    role = row.get("role", "").strip().upper() or "MEMBER"
    if role not in Role.__members__:
        raise BadRequest(f"there is no role '{row['role']}'")
    return NewUser(email=row["email"].strip(), full_name=row["name"].strip(), role=Role[role])


def _add_accounts(unit: "Unit", accounts: "Sequence[tuple[int, NewUser]]") -> "Sequence[User]":
    from chatcore.application.people.accounts import add_user
    from chatcore.domain.errors import ChatError

    users: list[User] = []
    for line, new in accounts:
        try:
            users.append(add_user(unit, new, None))
        except ChatError as error:
            raise Failure(f"No account was created; line {line}: {error}") from error
    return users
