"""`chatcore.storage.bots.bots`."""

from chatcore.domain.bots.settings import BotSettings, DefaultChannel, Interface
from chatcore.domain.ids import ChannelId, RecipientId
from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction


def channel(number: int, name: str) -> DefaultChannel:
    return DefaultChannel(ChannelId(RecipientId(number)), name)


def test_settings_of_bots_come_back_as_they_were_stored(storage: Storage) -> None:
    town = a_town(storage)
    first = BotSettings(
        sending_channel=channel(3, "lunch ☕"),
        events_channel=channel(4, ""),
        all_public=True,
        service_name="converter",
        payload_url="https://bots.example.com/",
        interface=Interface.TEXT,
        config={"größe": "☕\n"},
    )
    other = BotSettings(sending_channel=channel(4, "tea"))

    def write(tx: Transaction) -> None:
        assert (tx.bots.settings(town.ada), tx.bots.all()) == (BotSettings(), {})
        tx.bots.put(town.ada, other)
        tx.bots.put(town.ada, first)
        tx.bots.put(town.ben, other)
        assert tx.bots.settings(town.ada) == first
        assert tx.bots.all() == {town.ada: first, town.ben: other}
        assert set(tx.bots.with_channel(channel(4, "").id)) == {town.ada, town.ben}
        assert list(tx.bots.with_channel(channel(3, "").id)) == [town.ada]
        assert list(tx.bots.with_channel(channel(5, "").id)) == []

    storage.write(write)
