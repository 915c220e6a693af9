"""Security. The tests named `test_sec_N_…` show statement `security.N`."""

import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Final

GROUPS: Final[Mapping[str, Sequence[str]]] = {
    "History and channels": [
        "A private channel is as if absent for outsiders: by id, narrow and search.",
        "A removed subscriber has no access from that moment on, in open queues either.",
        "With protected history, messages from before the subscription and their edits stay invisible.",
        "A message that was moved to a channel that a reader cannot see is gone for this reader.",
        "Messages can be moved only to where the mover may post, and the target is not confirmed to exist.",
        "A message that is moved into protected history is visible from the reader's subscription on.",
        "The edit history shows no more than the organization and the reader's access allow.",
        "An archived channel gives no more rights than the same channel before.",
        "A change of a channel's kind needs the permission to create that kind.",
        "Nobody can join a private channel, or have others join it, from outside.",
        "An invitation gives no channels to which the inviter may not add people.",
        "Mentions and links name only channels and topics that the author can see.",
        "The name of a private channel is not confirmed beyond what unique names require.",
        "Personal settings cannot be made for what a user cannot see, or for somebody else.",
        "Direct messages are visible to their people only, and narrows do not reveal who talks with whom.",
    ],
    "Guests, roles, groups, bots": [
        "A guest reaches no public channel, list or group beyond its own.",
        "Only owners give and take the role of owner, and the last owner stays, in a race also.",
        "A guest never becomes an administrator, in several steps either.",
        "A bot has no more rights than its owner could give.",
        "Group settings refuse old values, unknown groups and cycles, and change nothing then.",
        "Rights that were taken are gone with the commit.",
        "Permissions show no people whom the reader may not know.",
        "Bots of webhooks do only what their kind allows.",
        "A client cannot name another sender or organization.",
        "Ids of one organization mean nothing in another.",
        "Profile fields check who may write them, and their values.",
        "Editing a message has the checks of sending it.",
    ],
    "Accounts, keys, sessions": [
        "Keys are shown to their holders only, and a bot's to its owner.",
        "Renewing a key or a password needs proof, and ends all sessions and keys.",
        "A deactivated account is refused at once, and its open polls end.",
        "Sessions and queues follow a change of role at once.",
        "A wrong password and an unknown account have one answer and one time.",
        "Secrets are compared in constant time.",
        "Failed logins are limited by account and address, and no header evades that.",
        "The length of passwords is bounded before hashing, and nothing is cut silently.",
        "Links by mail work once, until they expire, and for what was offered only.",
        "A way of logging in that is switched off cannot be reached in another way.",
        "Development keys do not exist on a production server.",
        "A hidden e-mail address is nowhere, and finding by it fails as for an unknown one.",
        "Malformed credentials have one answer.",
        "Ids and tokens that must not be guessed are random and long.",
    ],
    "Queues and events": [
        "The queue of another user is as if unknown, and stays untouched.",
        "An echo reaches only a queue of the sender.",
        "A message that is sent twice is stored once.",
        "Odd event ids are refused, and acknowledge nothing.",
        "Events follow the rights of now, not those of the registration.",
        "An event has no field that a fetch would not show.",
        "Queues and polls of an account are bounded, in memory and on disk.",
        "Without an account, only what is open to the web is visible, and there is no queue.",
        "Read receipts need access to the message, and the consent of the readers.",
    ],
    "Content and rendering": [
        "No link runs a script or leaves the protocols of the web.",
        "No text breaks out of its element or attribute.",
        "Names and descriptions are text, whatever characters they have.",
        "Rendering takes bounded time for every text.",
        "Patterns of linkifiers and alert words are matched in linear time.",
        "Templates of addresses are checked, and their values are escaped.",
        "Mentions are bounded, and quotes and code mention nobody.",
        "Limits of texts count characters in the same way everywhere.",
        "Reactions are bounded, and name emoji that exist.",
    ],
    "Files and fetches": [
        "A file is readable by the readers of its messages only.",
        "Only its owner deletes a file, and naming it grants nothing.",
        "Uploaded files never run in the organization's own pages.",
        "Names of files cannot leave their folder, nor their header.",
        "Pictures are bounded before they are decoded.",
        "Resumable uploads check offsets, owners and sizes.",
        "Sizes and quotas hold while a body is read.",
        "The server makes no requests to private addresses.",
        "Exports hold what was consented to, and only their readers can open them.",
    ],
    "Requests, limits, transport": [
        "Odd JSON values are refused.",
        "Odd bodies are refused before they cost much.",
        "The length of lists, narrows and ranges is bounded.",
        "Pages are filtered inside of the query.",
        "Search texts are data, never syntax.",
        "Cookies count only for requests of the organization's own pages.",
        "Addresses in answers are those of the configuration.",
        "Redirects stay on the server.",
        "Links to other sites give no access to the page, and no address of it.",
        "Rate limits hold for each account and address, and survive a restart.",
        "Everything that an account can make has a bound.",
        "Odd paths and methods have the checks of plain ones, or are not found.",
        "Logs show no secrets, and control characters are escaped.",
        "Public pages show nothing about people or content.",
        "Every outcome of a race is that of some order.",
        "Files of the server are readable by its user only.",
    ],
}
_numbers = count(1)
SECURITY: Mapping[str, Mapping[str, str]] = {
    group: {f"security.{next(_numbers)}": said for said in statements} for group, statements in GROUPS.items()
}
_NUMBERED = re.compile(r"test_sec_((?:\d+_)+)")


def statements_of(test_name: str) -> list[str]:
    """The statements that a test shows by its name."""
    named = _NUMBERED.match(test_name)
    return [f"security.{number}" for number in named[1].split("_") if number] if named else []
