"""Startup: the time from the command to the first answer, and the memory of an idle server."""

import http.client
import time

from benchmarks.harness import Client, Figure, Server, figure, filled, report
from benchmarks.options import arguments, run


def time_start(url: str, store: str, rounds: int) -> list[Figure]:
    taken, resting, used = [], [], []
    for _ in range(rounds):
        with Server(url) as server:
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("GET", "/health")
            connection.getresponse().read()
            taken.append((time.perf_counter() - server.started) * 1000)
            resting.append(server.resident_megabytes)
            client = Client(server.port)
            client.post("register")
            client.get("messages", anchor="newest", num_before=100, num_after=0)
            used.append(server.resident_megabytes)
    return [
        figure(store, "start to first answer", taken),
        Figure(store, "memory at rest", sorted(resting)[rounds // 2], unit="MB"),
        Figure(store, "memory after the first requests", sorted(used)[rounds // 2], unit="MB"),
    ]


def main() -> None:
    args = arguments(__doc__ or "", rounds=5)
    figures = []
    with filled(args) as urls:
        for store, url in urls.items():
            figures += time_start(url, store, args.rounds)
    report("Starting", figures, args.json)


if __name__ == "__main__":
    run(main)
