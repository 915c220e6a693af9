"""How long somebody waits while others do what no client does.

`python -m benchmarks.crowd` serves an organization on SQLite with the limits on. 127.0.0.1 holds as many
connections as it can and sends a byte a second on each, 127.0.0.3 sends bodies in chunks of a byte, and
127.0.0.2 reads with a key, each time on a new connection.
"""

import argparse
import contextlib
import http.client
import json
import socket
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from rich.console import Console

from benchmarks.harness import OWNER, Client, Server, chatcore, quantile
from benchmarks.options import run

CONNECTIONS = 1_100
CHUNKS = 300_000
READS = 120
PAUSE = 0.12
WINDOW = 60
"""Seconds after which the limits of requests have begun anew."""


def hold(port: int, stopped: threading.Event) -> None:
    """Hold connections, each with a byte a second; open those again that have ended."""
    held: list[socket.socket] = []
    while not stopped.is_set():
        began = time.monotonic()
        while len(held) < CONNECTIONS and time.monotonic() - began < 1:
            with contextlib.suppress(OSError):
                held.append(socket.create_connection(("127.0.0.1", port), timeout=1))
        still: list[socket.socket] = []
        for one in held:
            try:
                one.send(b"x")
                still.append(one)
            except OSError:
                one.close()
        held = still
        stopped.wait(max(0.0, 1 - (time.monotonic() - began)))


def send_chunks(port: int, stopped: threading.Event) -> None:
    body = b"1\r\na\r\n" * CHUNKS + b"0\r\n\r\n"
    head = b"POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    while not stopped.wait(1):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.3", port), 60) as one:
            one.sendall(head + body)
            one.recv(65_536)


def waits(port: int, authorization: str) -> list[float]:
    """Return the milliseconds of reads."""
    found = []
    for _ in range(READS):
        began = time.perf_counter()
        one = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=("127.0.0.2", 0))
        one.request("GET", "/api/v1/users/me", headers={"Authorization": authorization})
        assert json.loads(one.getresponse().read())["result"] == "success"
        one.close()
        found.append((time.perf_counter() - began) * 1000)
        time.sleep(PAUSE)
    return sorted(found)


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'chat.db'}"
        chatcore("init", "--name", "Crowd", "--owner-email", OWNER, "--owner-name", "Owner", url=url)
        with Server(url, CHATCORE_RATE_LIMITS="on") as server:
            authorization = Client(server.port).authorization
            alone = waits(server.port, authorization)
            time.sleep(WINDOW)
            stopped = threading.Event()
            threads = [
                threading.Thread(target=attack, args=(server.port, stopped)) for attack in (hold, send_chunks)
            ]
            for thread in threads:
                thread.start()
            crowded = waits(server.port, authorization)
            stopped.set()
            for thread in threads:
                thread.join()
    for what, found in (("alone", alone), ("in a crowd", crowded)):
        late = quantile(found, 0.99)
        Console().print(f"{what}: median {median(found):.0f} ms, 99 % {late:.0f} ms, all {found[-1]:.0f} ms")


if __name__ == "__main__":
    run(main)
