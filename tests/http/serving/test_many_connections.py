"""Many connections at once: of one address, of one network, and more than there are descriptors for."""

import json
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from chatcore.serving import slots
from chatcore.serving.refusals import MAX_LINGERING, MAX_LINGERING_OF_NETWORK, Refusals
from chatcore.serving.slots import ADDRESSES_OF_SITE, NoSlot, Slots
from tests.http.serving.toy_server import Connection, Server
from tests.waiting import until

GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
OTHER = "127.0.0.2"


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    with ExitStack() as closing:
        yield lambda **environment: Server(closing, **environment)


def test_refused_connections_are_few_whatever_they_send(start: Callable[..., Server]) -> None:
    server = start(PER_ADDRESS="3")
    before = server.descriptors
    kept = [server.connect() for _ in range(3)]
    for connection in kept:
        assert connection.ask(GET) == (200, "hello")
    refused = [server.connect() for _ in range(200)]
    for connection in refused:
        assert connection.read()[0] == 429
    # The last ones stay open for a moment, and no further byte prolongs that.
    assert server.descriptors <= before + len(kept) + MAX_LINGERING_OF_NETWORK
    assert server.get("/", OTHER) == "hello"
    until(lambda: sum(map(still_takes_bytes, refused)) == 0)
    assert [connection.ask(GET) for connection in kept] == [(200, "hello")] * 3


def still_takes_bytes(connection: Connection) -> bool:
    try:
        connection.send("x")
    except OSError:
        return False
    return True


def test_refused_connections_of_many_addresses_are_few_too(start: Callable[..., Server]) -> None:
    server = start(PER_ADDRESS="1")
    before = server.descriptors
    addresses = [f"127.0.1.{number}" for number in range(1, 101)]
    kept = [server.connect(address) for address in addresses]
    for connection in kept:
        assert connection.ask(GET) == (200, "hello")
    refused = [server.connect(address) for address in addresses]
    for connection in refused:
        assert connection.read()[0] == 429
    assert server.descriptors <= before + len(kept) + MAX_LINGERING
    until(lambda: sum(map(still_takes_bytes, refused)) == 0)


@pytest.mark.parametrize("rival", [None, "192.0.2.1", "192.0.2.9"])
def test_a_refused_connection_is_closed_without_a_reset(rival: str | None) -> None:
    """Reset, a client may lose the answer: what it has sent is read first."""
    refusals, answer = Refusals(), b"HTTP/1.1 429 Too Many Requests\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as closing:

        def refuse(network: str) -> tuple[socket.socket, socket.socket]:
            client = closing.enter_context(socket.create_connection(listener.getsockname()))
            there = closing.enter_context(listener.accept()[0])
            refusals.refuse(there, network, answer)
            return client, there

        client, there = refuse("192.0.2.1")
        client.sendall(b"GET / HTTP/1.1\r\n")
        until(lambda: select.select([there], [], [], 0)[0])
        if rival is None:
            refusals.close()
            assert len(refusals) == 0
        for number in range(MAX_LINGERING if rival else 0):
            refuse(rival if rival == "192.0.2.1" else f"{rival}{number % 3}")
        assert there.fileno() == -1
        assert client.recv(len(answer)) == answer
        assert client.recv(1) == b""
        assert client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0


def test_a_wide_network_has_a_limit_of_its_own() -> None:
    open_slots = Slots(2)
    networks = [f"2001:db8:1:{number:x}::1" for number in range(2 * ADDRESSES_OF_SITE)]
    for address in networks:
        open_slots.take(address)
    with pytest.raises(NoSlot) as refused:
        open_slots.take("2001:db8:1:ffff::1")
    assert refused.value.limit == "connections_by_network"
    open_slots.take("2001:db8:2::1")
    open_slots.leave(networks[0])
    open_slots.take("2001:db8:1:ffff::1")
    open_slots.take("2001:db8:2::2")
    with pytest.raises(NoSlot) as refused:
        open_slots.take("2001:db8:2::3")
    assert refused.value.limit == "connections_by_address"


def test_refused_connections_take_no_place() -> None:
    open_slots = Slots(2)

    def refuse(address: str, limit: str) -> None:
        for _ in range(3 * ADDRESSES_OF_SITE):
            with pytest.raises(NoSlot) as refused:
                open_slots.take(address)
            assert refused.value.limit == limit

    for _ in range(2):
        open_slots.take("2001:db8:1::1")
    refuse("2001:db8:1::1", "connections_by_address")
    others = [f"2001:db8:1:{number:x}::1" for number in range(1, 2 * ADDRESSES_OF_SITE - 1)]
    for address in others:
        open_slots.take(address)
    refuse("2001:db8:1:ffff::1", "connections_by_network")
    for address in others[:2]:
        open_slots.leave(address)
        open_slots.take("2001:db8:1:ffff::1")


def test_an_address_of_the_old_protocol_has_no_wide_network() -> None:
    open_slots = Slots(1)
    for number in range(100):
        open_slots.take(f"192.0.2.{number}")
    with pytest.raises(NoSlot):
        open_slots.take("192.0.2.0")


def test_descriptors_are_kept_for_other_things_than_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, most in ((1024, 768), (300, 150), (65_536, 20_000)):
        monkeypatch.setattr(slots.resource, "getrlimit", lambda kind, limit=limit: (limit, limit))
        assert slots.most_connections() == most


def test_where_no_place_is_left_the_connection_that_has_rested_longest_goes(
    start: Callable[..., Server],
) -> None:
    server = start(FILES="100")  # half of them are for connections
    resting = [server.connect() for _ in range(50)]
    for connection in resting:
        assert connection.ask(GET) == (200, "hello")
    assert resting[0].ask(GET) == (200, "hello")  # so that the second has rested longest
    polls = server.connect()
    assert polls.ask(GET) == (200, "hello")
    assert resting[1].is_at_its_end
    assert resting[0].ask(GET) == (200, "hello")
    assert resting[2].ask(GET) == (200, "hello")
    for _ in range(200):
        assert server.get("/") == "hello"
    assert server.errors == []


def test_a_connection_with_its_last_answer_goes_too_once_it_has_rested_longest(
    start: Callable[..., Server],
) -> None:
    server = start(FILES="100")
    answered = server.connect()
    assert answered.ask("nonsense\r\n\r\n")[0] == 400
    resting = [server.connect() for _ in range(50)]
    assert [connection.ask(GET) for connection in resting] == [(200, "hello")] * 50
    assert answered.is_at_its_end
    assert [connection.ask(GET) for connection in resting] == [(200, "hello")] * 50


@pytest.mark.parametrize("head", ["G", "GET / HTTP/1.1\r\nX-A: "])
def test_half_heads_leave_room_for_newcomers(start: Callable[..., Server], head: str) -> None:
    server = start(FILES="100")
    half = []
    for _ in range(60):
        half.append(server.connect())
        half[-1].send(head)
    for _ in range(20):
        assert server.connect().ask(GET) == (200, "hello")
    half[-1].send("ET / HTTP/1.1\r\nHost: a\r\n\r\n" if head == "G" else "b\r\nHost: a\r\n\r\n")
    assert half[-1].read() == (200, "hello")
    assert server.errors == []


def test_without_descriptors_the_server_says_so_once_and_goes_on_by_itself(
    start: Callable[..., Server],
) -> None:
    server = start(FILES="100")
    first = server.connect()
    assert int(first.ask(GET.replace("/", "/hold_descriptors", 1))[1]) > 20
    # No descriptor is left; that of the connection that has rested longest is taken.
    for _ in range(3):
        second = server.connect()
        assert second.ask(GET) == (200, "hello")
        assert first.is_at_its_end
        first = second
    assert first.ask(GET.replace("/", "/free_descriptors", 1)) == (200, "")
    assert [server.connect().ask(GET) for _ in range(10)] == [(200, "hello")] * 10
    until(lambda: len(server.errors) > 0)
    assert server.errors == ["no connection can be accepted: Too many open files"]


def test_a_refusal_names_its_limit(start: Callable[..., Server]) -> None:
    server = start(PER_ADDRESS="1")
    assert server.connect().ask(GET) == (200, "hello")
    status, body = server.connect().read()
    assert (status, json.loads(body)["limit"]) == (429, "connections_by_address")
