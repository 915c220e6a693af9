"""Names that are looked up in a server of greenlets."""

import os
import subprocess
import sys

from chatcore.runtime.outgoing_requests import LOOKUPS
from tests.http.serving.toy_server import PROJECT
from tests.waiting import PATIENCE

PROGRAM = f"""
from chatcore import serving
serving.patch()
import _socket, socket, threading
from gevent import monkey

look_up = _socket.getaddrinfo
wait = monkey.get_original("time", "sleep")

def getaddrinfo(host, *more, **named):
    if host == "soup.example":
        wait({PATIENCE})
    return look_up(host, *more, **named)

_socket.getaddrinfo = getaddrinfo
for _ in range({LOOKUPS}):
    threading.Thread(target=socket.getaddrinfo, args=("soup.example", 80), daemon=True).start()
print(bool(socket.getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)), flush=True)
import os
os._exit(0)
"""


def test_as_many_names_without_an_answer_as_may_be_looked_up_keep_no_other_waiting() -> None:
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}  # noqa: TID251
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE / 2
    )
    assert (done.stdout, done.stderr) == ("True\n", "")
