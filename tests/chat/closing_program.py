"""A program that closes its chat while its threads use it; it runs in a process of its own."""

import sys
import threading
from base64 import b64encode
from collections.abc import Callable
from math import inf
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from werkzeug.serving import WSGIRequestHandler, make_server

from chatcore import open_chat
from chatcore.settings import Settings
from storage_backends.sql import store
from tests.waiting import PATIENCE, until

FETCHERS = 4
POLLERS = 4


class Quiet(WSGIRequestHandler):
    def log(self, *args: object) -> None:
        pass


def main(url: str, folder: Path) -> None:
    settings = Settings(data_dir=folder, secret_key=b"s" * 32, rate_limits=False)
    chat = open_chat(url, owner_email="ada@example.com", settings=settings)
    ada = chat.users.actor("ada@example.com")
    chat.channels.subscribe(ada, "garden")
    for number in range(50):
        chat.messages.send(ada, f"plot {number}", channel="garden", topic="plots")
    server = make_server("127.0.0.1", 0, chat.application(), threaded=True, request_handler=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    login = chat.users.credentials(ada)
    key = b64encode(f"{login.email}:{login.api_key}".encode()).decode()
    endings: list[str] = []
    at_work: set[int] = set()
    """The threads that have done something already."""

    def works_on() -> None:
        at_work.add(threading.get_ident())

    def bot() -> None:
        with chat.events.follow(ada, event_types=["message"]) as events:
            for _ in events:
                works_on()

    def fetch() -> None:
        while True:
            chat.messages.fetch(ada, narrow=[["channel", "garden"]])
            works_on()

    def send() -> None:
        while True:
            chat.messages.send(ada, "ripe", channel="garden", topic="plots")
            works_on()

    def poll() -> None:
        queue = chat.events.register(ada, event_types=["message"])
        last = queue.last_event_id
        while True:
            for event in chat.events.poll(ada, queue.queue_id or "", last):
                last = event["id"]
            works_on()

    def visit() -> None:
        address = f"http://127.0.0.1:{server.port}/api/v1/messages?anchor=newest&num_before=50&num_after=0"
        while True:
            urlopen(Request(address, headers={"Authorization": f"Basic {key}"})).read()
            works_on()

    def until_the_end(work: Callable[[], object]) -> None:
        try:
            work()
        except HTTPError as error:
            endings.append(f"{work.__name__} {error.code}")
        except URLError as error:
            endings.append(f"{work.__name__} {error.reason}")
        except Exception as error:
            endings.append(f"{work.__name__} {type(error).__name__}")
        else:
            endings.append(f"{work.__name__} ended")

    works = [bot, send, *[fetch] * FETCHERS, *[poll] * POLLERS, *[visit] * POLLERS]
    threads = [threading.Thread(target=until_the_end, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    until(lambda: len(at_work) == len(works) or endings)
    store.CLOSING_PATIENCE = inf  # somebody who is waited for in vain keeps the program from its end
    chat.close()
    for thread in threads:
        thread.join(PATIENCE)
    sys.stdout.write("\n".join(sorted({*endings})) + f"\n{len(endings)} of {len(works)}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
