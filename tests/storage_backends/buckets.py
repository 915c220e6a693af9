"""A bucket of an S3-compatible service, which runs in a thread of the tests."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from botocore.session import Session
from moto.server import ThreadedMotoServer
from werkzeug.serving import WSGIRequestHandler

BUCKET = "uploads"
URL = f"s3://{BUCKET}/club"


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as kept_alive:
        kept_alive.setattr(WSGIRequestHandler, "protocol_version", "HTTP/1.1")
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        yield "http://{}:{}".format(*server.get_host_and_port())
        server.stop()


@pytest.fixture
def bucket(s3_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of an empty bucket. The environment is that in which programs find its service."""
    for name, value in {
        "AWS_ENDPOINT_URL_S3": s3_address,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "NO_PROXY": "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, value)
    client = client_of(s3_address)
    client.create_bucket(Bucket=BUCKET)
    yield client
    for name in names(client):
        client.delete_object(Bucket=BUCKET, Key=name)
    client.delete_bucket(Bucket=BUCKET)


@cache
def client_of(address: str) -> Any:
    """Return the client at an address, by the environment; making one reads the model of the service."""
    return Session().create_client("s3", endpoint_url=address)


def names(client: Any) -> list[str]:
    """Return the names of all objects."""
    return [one["Key"] for one in client.list_objects_v2(Bucket=BUCKET).get("Contents", ())]
