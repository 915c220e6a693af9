# pyright: strict
"""A program of a user, for type checkers in their strict modes: every form that arguments may have, and what
comes back. `make lint` checks it; `test_given` runs it.
"""

from chatcore import (
    Actor,
    Chat,
    Event,
    GroupSetting,
    InvalidParameter,
    MessageEvent,
    Reading,
    Role,
    Sent,
    VisibilityPolicy,
    WantedChannel,
    open_chat,
)


def names_of(chat: Chat, actor: Actor) -> list[str]:
    return [channel.name for channel in chat.channels.subscriptions(actor)]


def said_by(reading: Reading) -> str:
    return f"{reading.sender.full_name}: {reading.message.content}"


def described(event: Event) -> str:
    if event["type"] == "message":
        return event["message"]["content"]
    if event["type"] == "stream" and event["op"] == "create":
        return " ".join(channel["name"] for channel in event["streams"])
    return event["type"]


def run() -> list[str]:
    with open_chat(first_messages=False) as chat:
        owner = chat.users.actor("owner@example.com")
        gus = chat.users.create("gus@example.com", "Gus Berg", role="moderator")
        chat.users.create("bea@example.com", "Bea Gray", role=Role.MEMBER)
        chat.channels.subscribe(owner, "garden", ["herbs", "peas"], principals=[owner, "gus@example.com"])
        chat.channels.change_subscriptions(owner, [WantedChannel("leek"), "nuts", {"name": "mint"}], "peas")
        garden = chat.channels.id_of(owner, "garden")
        chat.channels.update(owner, garden, permissions={"can_send_message_group": gus})
        growers = chat.groups.create(
            owner,
            name="growers",
            description="They sow",
            members=[owner.user_id, gus],
            settings={"can_mention_group": GroupSetting.of(members=[gus.user_id])},
        )
        assert chat.groups.is_member(owner, growers, gus)
        chat.topics.set_policy(gus, garden, "seeds", VisibilityPolicy.FOLLOWED)
        chat.topics.set_policy(gus, garden, "weeds", "muted")
        with chat.events.follow(owner, event_types=MessageEvent) as events:
            sent: Sent = chat.messages.send(gus, "Who has **tomato** seeds?", channel=garden, topic="seeds")
            content: str = next(events)["message"]["content"]
        begun = chat.events.register(owner)
        last = begun.last_event_id
        for event in chat.events.poll(owner, begun.queue_id or "", last, dont_block=True):
            last = event["id"]
        chat.messages.update_flags(owner, sent.message_id, op="add", flag="starred")
        found = chat.messages.fetch(owner, narrow=[["sender", "gus@example.com"]], num_before=10)
        said = [said_by(one) for one in found.readings]
        file = chat.files.upload(gus, "plan.txt", [b"two ", b"rows"], content_type="text/plain")
        try:
            chat.topics.set_policy(gus, garden, "weeds", "loud")
        except InvalidParameter as error:
            said.append(f"{error.code} {error.name}")
        return [*names_of(chat, owner), content, *said, file.name]
