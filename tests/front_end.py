"""A debugger front end: finds the program's WebSocket URL in its output and speaks its protocol over a real socket."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import struct
import subprocess
import urllib.request
from collections.abc import Callable
from typing import Any, ClassVar

from rig import Box

Message = dict[str, Any]
PATIENCE_S = 30.0


def url_of(process: subprocess.Popen[bytes]) -> str:
    """Read stderr to the end of the banner. Return the WebSocket's URL."""
    assert process.stderr is not None
    url = ""
    for line in process.stderr:
        url = url or "".join(re.findall(r"^  (ws://\S+)$", line.decode()))
        if url and line.startswith(b"---"):
            return url
    raise AssertionError("nobody listens")


def page_of(url: str, path: str, **headers: str) -> tuple[int, Any]:
    """Return the status and JSON of a page of the server at `url`."""
    place = url.removeprefix("ws://").partition("/")[0]
    request = urllib.request.Request(f"http://{place}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


class FrontEnd:
    """One connection. Events stay in `events`, in order of arrival, until a test awaits them."""

    all: ClassVar[list[FrontEnd]] = []

    def __init__(self, url: str) -> None:
        place, _, self.path = url.removeprefix("ws://").partition("/")
        if url.startswith("ws+unix://"):
            place, self.path = "localhost", ""
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(PATIENCE_S)
            self.socket.connect(url.removeprefix("ws+unix://"))
        else:
            host, _, port = place.rpartition(":")
            self.socket = socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE_S)
        self.all.append(self)
        self.events: list[Message] = []
        self.answers: dict[int, Message] = {}
        self.scripts: dict[str, str] = {}
        """The URL of each script by its identity, once the Debugger is enabled."""
        self._unread = bytearray()
        self._last = 0
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /{self.path} HTTP/1.1\r\nHost: {place}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self._unread:
            self._read()
        head, _, self._unread = self._unread.partition(b"\r\n\r\n")
        self.head = bytes(head)

    def _read(self) -> None:
        block = self.socket.recv(1 << 16)
        if not block:
            raise ConnectionError("the program has hung up")
        self._unread += block

    def _take(self, size: int) -> bytes:
        while len(self._unread) < size:
            self._read()
        taken = bytes(self._unread[:size])
        del self._unread[:size]
        return taken

    def frame(self) -> tuple[int, bytes]:
        """Read one frame: its first byte and its data."""
        first, length = self._take(2)
        if length == 126:
            (length,) = struct.unpack(">H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._take(8))
        return first, self._take(length)

    def say(self, data: bytes, first: int = 0x81) -> None:
        """Send one frame, by default the whole of a text."""
        size = len(data)
        if size < 126:
            head = struct.pack(">BB", first, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack(">BBH", first, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", first, 0x80 | 127, size)
        mask = os.urandom(4)
        self.socket.sendall(head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))

    def ask(self, method: str, **params: Any) -> int:
        """Send a command; return its number."""
        self._last += 1
        self.say(json.dumps({"id": self._last, "method": method, "params": params}).encode())
        return self._last

    def do(self, method: str, **params: Any) -> Message:
        """Send a command. Return its result, or the error it is answered with."""
        number = self.ask(method, **params)
        while number not in self.answers:
            self.hear()
        answer = self.answers.pop(number)
        return answer["result"] if "result" in answer else answer["error"]  # type: ignore[no-any-return]

    def hear(self) -> Message:
        """Read one message and store it as an event or a result."""
        first, data = self.frame()
        if first == 0x88:
            raise ConnectionError("the program has said goodbye")
        message: Message = json.loads(data)
        if "id" in message:
            self.answers[message["id"]] = message
        else:
            self.events.append(message)
            if message["method"] == "Debugger.scriptParsed":
                self.scripts[message["params"]["scriptId"]] = message["params"]["url"]
        return message

    def await_event(self, method: str, where: Callable[[Message], bool] = lambda _params: True) -> Message:
        """Return the parameters of the first event `method` that matches; earlier events of that name are dropped."""
        while True:
            while self.events:
                event = self.events.pop(0)
                params: Message = event.get("params", {})
                if event["method"] == method and where(params):
                    return params
            self.hear()

    def worker(self, session: str) -> FrontEnd:
        """Return a client of a worker: its messages are carried by this connection, which serves nothing else any more."""
        carried = FrontEnd.__new__(FrontEnd)
        carried.events, carried.answers, carried.scripts, carried._last = [], {}, {}, 0
        carried.say = lambda data, first=0x81: (  # type: ignore[method-assign, assignment]
            self.ask("NodeWorker.sendMessageToWorker", sessionId=session, message=data.decode()) and None
        )

        def frame() -> tuple[int, bytes]:
            event = self.await_event("NodeWorker.receivedMessageFromWorker", lambda it: it["sessionId"] == session)
            return 0x81, event["message"].encode()

        carried.frame = frame  # type: ignore[method-assign]
        return carried

    def begin(self) -> None:
        """Send the commands with which every front end begins; a program that waits for a debugger then runs."""
        for method in ("Runtime.enable", "Debugger.enable", "Runtime.runIfWaitingForDebugger"):
            self.do(method)

    def close(self) -> None:
        """Close the connection and wait for the server's close."""
        self.say(b"", 0x88)
        while self.frame()[0] != 0x88:
            pass
        self.socket.close()


class Debugged:
    """A program and a front end that connected before its first statement."""

    def __init__(self, box: Box, *arguments: str) -> None:
        self.process: subprocess.Popen[bytes] = box.start(*arguments)
        self.url = url_of(self.process)
        self.front = FrontEnd(self.url)

    def place(self, event: Message | None = None) -> tuple[str, int]:
        """Return the file and line (from 1) of the next pause, or of `event`."""
        event = event or self.front.await_event("Debugger.paused")
        place = event["callFrames"][0]["location"]
        return self.front.scripts[place["scriptId"]].rpartition("/")[2], place["lineNumber"] + 1

    def finish(self) -> tuple[int, str, str]:
        """Disconnect. Return how the program ended and its output."""
        self.front.close()
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out.decode(), err.decode()
