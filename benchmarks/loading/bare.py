"""A bare server to compare with: a Werkzeug application on gevent's server that gives out fixed answers.

`python -m benchmarks.loading.bare FILE`; the file has the answers by method and target, as JSON. Requests for
WAITS, with any query, are answered when somebody posts to WAKE.
"""

import json
import socket
import sys
from pathlib import Path

from gevent.event import Event
from gevent.pywsgi import WSGIServer
from werkzeug import Request, Response

WAITS, WAKE = "/waits", "/wake"


def main() -> None:
    wakes = [Event()]
    answers = {key: text.encode() for key, text in json.loads(Path(sys.argv[1]).read_text()).items()}

    @Request.application
    def application(request: Request) -> Response:
        request.get_data()
        target = request.full_path
        if request.path == WAKE:
            wakes.append(Event())
            wakes.pop(0).set()
        elif request.path == WAITS:
            wakes[0].wait()
            target = f"{WAITS}?"
        return Response(answers[f"{request.method} {target}"], mimetype="application/json")

    server = WSGIServer(("127.0.0.1", 0), application, log=None)
    server.start()
    # Connections inherit it. Otherwise, the second half of an answer waits 40 ms for an acknowledgement.
    server.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
