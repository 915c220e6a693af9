"""States."""

from collections.abc import Mapping

STATES: Mapping[str, Mapping[str, str]] = {
    "Flags of a message": {
        "flags.unread-at-first": "A message is unread at first.",
        "flags.own-read": "But what one sends oneself from a program that people look at is read.",
        "flags.add": "`op` add sets a flag.",
        "flags.remove": "`op` remove clears it.",
        "flags.changeable": "People change `read`, `starred` and `collapsed`.",
        "flags.unchangeable": "The other flags are changed by the server alone.",
        "flags.told": "The answer says what changed, or how many.",
        "flags.unread-elsewhere": "Nothing becomes unread in a channel that one is not in.",
        "flags.unread-elsewhere-told": "Those channels are named in the answer.",
        "flags.edited": "An edit adds and removes mentions and alert words, with their flags.",
        "flags.historical": "A star on what was sent before one came is historical.",
        "flags.reacted": "A reaction to what was sent before one came is historical.",
        "flags.historical-unchangeable": "`historical` cannot be changed.",
        "flags.topic-read": "mark_topic_as_read reads all that is unread in a topic.",
    },
    "Visibility of a topic": {
        "visibility.default": "0 is no policy, and takes one back.",
        "visibility.muted": "1 mutes.",
        "visibility.unmuted": "2 unmutes, in a channel that is muted.",
        "visibility.followed": "3 follows.",
        "visibility.no-others": "There is no other value.",
        "visibility.no-messages": "A topic needs no messages for that.",
        "visibility.sending": "Sending unmutes or follows a topic, as the sender has chosen.",
        "visibility.sending-told": "The answer says so, and a `user_topic` event.",
        "visibility.unmuted-is-default": "In a channel that is not muted, unmuted is like no policy.",
    },
    "Event queue": {
        "queue.registered": "register makes it, and tells its id and where it begins.",
        "queue.dropped": "After ten minutes without its client it is dropped.",
        "queue.gone": "Then a poll is BAD_EVENT_QUEUE_ID.",
        "queue.heartbeat": "A heartbeat comes within every minute.",
    },
    "Role of a user": {
        "role.values": "Roles are 100, 200, 300, 400 and 600.",
        "role.owners-only": "Owners alone make and unmake owners.",
        "role.last-owner": "The only owner stays one.",
        "role.no-guest-administrators": "A guest does not become an administrator: BAD_REQUEST.",
    },
    "User group": {
        "group-state.editable": "Permissions of a deactivated group can be edited.",
        "group-state.no-mention": "It is mentioned to no effect.",
        "group-state.no-permission": "No permission value may name it.",
        "group-state.no-right": "It gives no rights.",
        "group-state.back": "Once it is back, it does.",
    },
    "Channel": {
        "channel-state.archived": "A channel is archived or not.",
    },
}
