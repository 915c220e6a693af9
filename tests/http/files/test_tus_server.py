"""Uploads by a client from PyPI to a real server, which is killed during an upload.

`CHATCORE_TEST_UPLOAD_MIB` is the size of the file: with 60, the test shows that large files need no more
memory.
"""

import hashlib
import io
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError

import pytest
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

from chatcore.application.files.uploads import CHECKPOINT
from tests.waiting import PATIENCE, until
from tests.worlds.organization import MakeWorld, World, basic

PROJECT = Path(__file__).parents[3]
MIB = 2**20
SIZE = int(os.environ.get("CHATCORE_TEST_UPLOAD_MIB", "8")) * MIB  # noqa: TID251
MAX_MEMORY = 150 * MIB


class Server:
    """`wsgi.py` in a process of its own, always at the same address."""

    def __init__(self, world: World, data_dir: Path) -> None:
        self.world = world
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port: int = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,  # noqa: TID251
            "PYTHONPATH": str(PROJECT),
            "CHATCORE_DATABASE_URL": world.url,
            "CHATCORE_DATA_DIR": str(data_dir),
            "CHATCORE_SECRET_KEY": "s" * 32,
            "CHATCORE_HOST": "127.0.0.1",
            "CHATCORE_PORT": str(self.port),
        }
        self.headers = {"Authorization": basic(world.users["ada"].email, world.keys["ada"])}

    @contextmanager
    def runs(self) -> Iterator["subprocess.Popen[bytes]"]:
        """A running server; it is killed at the end, if it was not before."""
        with subprocess.Popen([sys.executable, str(PROJECT / "wsgi.py")], env=self.environment) as process:
            try:
                self._wait_until_it_answers(process)
                yield process
            finally:
                process.kill()

    def _wait_until_it_answers(self, process: "subprocess.Popen[bytes]") -> None:
        def answers() -> bool:
            assert process.poll() is None, "the server has ended"
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=PATIENCE):
                    return True
            except URLError:
                return False

        until(answers)

    def fetch(self, path: str) -> bytes:
        request = urllib.request.Request(self.url + path, headers=self.headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            data: bytes = response.read()
        return data


def peak_memory(process: "subprocess.Popen[bytes]") -> int:
    """The most memory that a process ever had."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def server(make_world: MakeWorld, data_dir: Path) -> Server:
    world = make_world(data_dir=data_dir)
    world.close()
    return Server(world, data_dir)


def unfinished_size(data_dir: Path) -> int:
    return sum(path.stat().st_size for path in data_dir.glob("uploads/unfinished/*"))


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film über uns.mp4"
    path.write_bytes(os.urandom(SIZE))
    return path


@pytest.mark.shows("tus.resumes")
def test_an_upload_survives_that_the_server_is_killed(server: Server, data_dir: Path, film: Path) -> None:
    client = TusClient(f"{server.url}/api/v1/tus", headers=server.headers)
    announced = {"filename": film.name, "filetype": "video/mp4"}
    chunk = max(SIZE // 100, 64 * 1024)
    with server.runs() as process:
        watcher = threading.Thread(target=kill_at_half, args=(process, data_dir))
        stream = HeldFilm(film, until=watcher)
        first = client.uploader(
            file_stream=stream, chunk_size=chunk, metadata=announced, upload_checksum=True
        )
        watcher.start()
        with pytest.raises((TusUploadFailed, TusCommunicationError)):
            first.upload()
        stream.close()
        assert process.wait(PATIENCE) == -9
    assert 0 < unfinished_size(data_dir) < SIZE
    with server.runs() as process, film.open("rb") as stream:
        again = client.uploader(file_stream=stream, chunk_size=SIZE, url=first.url)
        assert SIZE // 3 < again.offset < SIZE
        again.upload()
        assert again.offset == SIZE
        assert again.request is not None
        answer = again.request.response_content
        path = str(first.url).removeprefix(f"{server.url}/api/v1/tus/")
        assert f'"url":"/user_uploads/{path}"'.encode() in answer
        assert hashlib.sha256(server.fetch(f"/user_uploads/{path}")).digest() == digest_of(film)
        assert peak_memory(process) < MAX_MEMORY
    assert unfinished_size(data_dir) == 0


class HeldFilm(io.FileIO):
    """A film whose last quarter is read only once a thread has ended."""

    def __init__(self, path: Path, until: threading.Thread) -> None:
        super().__init__(path)
        self._until = until

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() > SIZE * 3 // 4:
            self._until.join(PATIENCE)
        return super().read(size) or b""


def kill_at_half(process: "subprocess.Popen[bytes]", data_dir: Path) -> None:
    try:
        until(lambda: unfinished_size(data_dir) >= SIZE // 2)
    finally:
        process.kill()


def digest_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def test_one_long_request_is_kept_up_to_what_was_made_safe(server: Server) -> None:
    size = 3 * CHECKPOINT
    data = os.urandom(size)
    client = TusClient(f"{server.url}/api/v1/tus", headers=server.headers)
    stream = io.BytesIO(data)
    with server.runs() as process:
        url = client.uploader(file_stream=stream, metadata={"filename": "long.bin"}).create_url()
        head = (
            f"PATCH {url.removeprefix(server.url)} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\n"
            f"Authorization: {server.headers['Authorization']}\r\nUpload-Offset: 0\r\n"
            f"Content-Type: application/offset+octet-stream\r\nContent-Length: {size}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(head.encode() + data[: 2 * CHECKPOINT + 1000])
            until(lambda: client.uploader(file_stream=stream, url=url).offset >= 2 * CHECKPOINT)
            process.kill()
            process.wait(PATIENCE)
    with server.runs() as process:
        again = client.uploader(file_stream=stream, url=url)
        assert again.offset == 2 * CHECKPOINT
        again.upload()
        assert server.fetch(url.removeprefix(server.url).replace("/api/v1/tus", "/user_uploads")) == data
        assert peak_memory(process) < MAX_MEMORY


def test_sec_66_a_large_plain_upload_needs_little_memory(server: Server, film: Path) -> None:
    boundary = "cut" * 10
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="film.mp4"\r\n\r\n'
    ).encode()
    end = f"\r\n--{boundary}--\r\n".encode()
    with server.runs() as process:
        before = peak_memory(process)
        request = urllib.request.Request(
            f"{server.url}/api/v1/user_uploads",
            data=head + film.read_bytes() + end,
            headers={**server.headers, "Content-Type": f"multipart/form-data; boundary={boundary}"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            answer = response.read()
        path = answer.decode().partition('"url":"')[2].partition('"')[0]
        assert hashlib.sha256(server.fetch(path)).digest() == digest_of(film)
        assert peak_memory(process) - before < 20 * MIB
