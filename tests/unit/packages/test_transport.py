"""GETs against servers that answer too much, too slowly or not at all."""

from __future__ import annotations

import gzip
import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from rt_supervisor.packages.npmrc import RegistrySettings
from rt_supervisor.packages.problems import PackageProblem
from rt_supervisor.packages.transport import Bounds, Transport

BOUNDS = Bounds(1 << 20, 60.0)
Speak = Callable[[socket.socket], object]


@contextmanager
def server(speak: Speak) -> Iterator[str]:
    """Serve each connection with `speak`, after the head of its request has arrived; yields the URL."""
    listener = socket.create_server(("127.0.0.1", 0))

    def converse(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(1 << 16)
                speak(connection)
            except OSError:
                return

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=converse, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/p"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def get(url: str, bounds: Bounds = BOUNDS) -> bytes:
    body = bytearray()
    reply = Transport(RegistrySettings({})).get(url, {}, bounds, body.extend)
    assert reply.status == 200
    return bytes(body)


def problem_of(speak: Speak, bounds: Bounds = BOUNDS) -> str:
    with server(speak) as url, pytest.raises(PackageProblem) as problem:
        get(url, bounds)
    return str(problem.value).replace(url, "URL")


def answer(body: bytes, *headers: str) -> Speak:
    head = "".join(f"{line}\r\n" for line in ("HTTP/1.1 200 OK", *headers, f"Content-Length: {len(body)}", ""))
    return lambda connection: connection.sendall(head.encode() + body)


def endless(head: str, piece: bytes) -> Speak:
    def speak(connection: socket.socket) -> None:
        connection.sendall(head.encode())
        while True:
            connection.sendall(piece)

    return speak


def drip(text: bytes) -> Speak:
    """Send `text` and then a byte from time to time, often enough for any timeout of a single read."""

    def speak(connection: socket.socket) -> None:
        connection.sendall(text)
        connection.settimeout(0.05)
        while True:
            connection.sendall(b"a")
            try:
                if connection.recv(1) == b"":
                    return
            except TimeoutError:
                continue

    return speak


def test_bodies() -> None:
    with server(answer(b"plain")) as url:
        assert get(url) == b"plain"
    with server(answer(gzip.compress(bytes(1 << 20)), "Content-Encoding: gzip")) as url:
        assert get(url) == bytes(1 << 20)


def test_a_compressed_answer_that_grows_too_large() -> None:
    bomb = gzip.compress(bytes(40 << 20))
    assert problem_of(answer(bomb, "Content-Encoding: gzip")) == "GET URL failed: the answer is larger than 1 MB"


def test_an_endless_answer() -> None:
    too_large = "GET URL failed: the answer is larger than 1 MB"
    plain = "HTTP/1.1 200 OK\r\n\r\n"
    assert problem_of(endless(plain, bytes(1 << 16))) == too_large
    chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert problem_of(endless(chunked, b"10000\r\n" + bytes(1 << 16) + b"\r\n")) == too_large
    compressor = zlib.compressobj(wbits=31)
    zeros = compressor.compress(bytes(4 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)
    packed = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    assert problem_of(endless(packed, zeros)) == too_large


def test_an_endless_line() -> None:
    closed = "GET URL failed: the connection was closed, or the answer is not valid HTTP"
    chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    for head in ("HTTP/1.1 200 OK\r\nA: ", "HTTP/1.1 200 ", chunked):
        assert problem_of(endless(head, b"1" * (1 << 16))) == closed


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n",
        b"HTTP/1.1 200 OK\r\nX: ",
        b"HTTP/1.1 200 ",
    ],
)
def test_the_deadline_ends_an_answer_that_drips(head: bytes) -> None:
    message = problem_of(drip(head), Bounds(1 << 20, 0.3))
    assert message == "GET URL failed: the answer was not complete after 0.3 seconds"


def test_answers_that_end_early() -> None:
    closed = "GET URL failed: the connection was closed, or the answer is not valid HTTP"
    assert problem_of(lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")) == closed
    assert problem_of(lambda connection: connection.sendall(b"no HTTP\r\n\r\n")) == closed
    cut = gzip.compress(bytes(range(256)))[:-20]
    assert problem_of(answer(cut, "Content-Encoding: gzip")) == "GET URL failed: the compressed answer ends early"
    assert problem_of(answer(b"plain", "Content-Encoding: gzip")) == "GET URL failed: the answer is not valid gzip"


def test_addresses_without_a_server() -> None:
    for url, reason in (
        ("http://127.0.0.1:1/p", "connection refused"),
        ("file:///etc/passwd", "not an http: or https: URL"),
        ("ftp://x/y", "not an http: or https: URL"),
        ("p", "not an http: or https: URL"),
        ("http://no-such-host.invalid/p", "the host name cannot be resolved"),
        ("http://[::1", "Invalid IPv6 URL"),
    ):
        with pytest.raises(PackageProblem) as problem:
            get(url)
        assert str(problem.value).endswith(f" failed: {reason}"), url
        assert "object at" not in str(problem.value)


def test_secrets_are_not_shown() -> None:
    with pytest.raises(PackageProblem) as problem:
        get("http://user:secret@127.0.0.1:1/p?token=secret")
    assert str(problem.value) == "GET http://127.0.0.1:1/p failed: connection refused"
