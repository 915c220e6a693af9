"""Ports for servers that cannot choose one themselves."""

import socket


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
