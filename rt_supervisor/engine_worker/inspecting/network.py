"""The domain `Network`, in Node's form: passes the events of requests to front ends, and keeps bodies for those that ask for them.

`js/node/inspector/network.js` observes the program while a front end has enabled the domain, and nothing otherwise. Bodies are
kept here, not in JavaScript, so that they can be read while the program is paused.
"""

from __future__ import annotations

import json

from ... import _native
from .resources import InvalidParams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from .resources import Resources

    Params: TypeAlias = dict[str, Any]

INVALID_PARAMS, SERVER_ERROR = -32602, -32000
MOST_BYTES = 100_000_000
"""Of all bodies; the oldest are dropped first."""
MOST_BYTES_OF_ONE = 10_000_000
_SERVED = "rt-served-request-"
"""What the ids of requests that the program serves begin with (`network_events.js`). Node does not report them: sessions of the
program with itself, whose numbers are negative, receive only the requests that Node reports."""
_BINARY = "Unable to serialize binary request body"
_TEXTUAL = ("json", "xml", "javascript", "x-javascript", "ecmascript", "x-www-form-urlencoded", "graphql", "x-ndjson")
_OVER = ("Network.loadingFinished", "Network.loadingFailed")


class Refused(Exception):
    """A command cannot be carried out; the front end gets the code and the message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.answer = {"code": code, "message": message}


def parse_command(text: str) -> tuple[object, str | None, Params]:
    """Return the id, method and parameters of a message of a front end; no method if it is not a command."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None, None, {}
    if not isinstance(message, dict):
        return None, None, {}
    method, params = message.get("method"), message.get("params")
    return message.get("id"), method if isinstance(method, str) else None, params if isinstance(params, dict) else {}


class _Bodies:
    """What one exchange has transferred. A body that is too long is not kept."""

    def __init__(self) -> None:
        self.parts: dict[str, bytearray] = {"request": bytearray(), "response": bytearray()}
        self.is_whole: dict[str, bool] = {"request": True, "response": True}
        self.request_charset = ""
        self.charset = ""
        self.mime_type = ""
        self.is_over = False

    @property
    def size(self) -> int:
        return sum(map(len, self.parts.values()))


class Network:
    """The front ends that observe requests; `send(client, text)` reaches one. `observe(then)` makes the program follow
    `is_used` before it calls `then`.
    """

    def __init__(
        self,
        send: Callable[[int, str], None],
        observe: Callable[[Callable[[], None]], None],
        resources: Resources,
    ) -> None:
        self._send = send
        self._observe = observe
        self._clients: set[int] = set()
        self._streaming: dict[str, set[int]] = {}  # exchange -> clients to which the data of its response is sent
        self._exchanges: dict[str, _Bodies] = {}
        self._size = 0
        self._newest = "", b""  # exchange and data of the newest part of a body that is streamed
        self._commands: dict[object, Callable[[int, Params], Params]] = {
            "Network.disable": self._disable,
            "Network.getRequestPostData": self._get_post_data,
            "Network.getResponseBody": self._get_body,
            "Network.streamResourceContent": self._stream,
            **resources.commands,
        }

    @property
    def is_used(self) -> bool:
        """Whether a front end observes requests."""
        return bool(self._clients)

    # --- commands

    def answer(self, client: int, text: str) -> bool:
        """Answer the message `text` if it is a command of this domain or of `IO`; return whether it is."""
        if '"Network' not in text and '"IO.' not in text:
            return False
        number, method, params = parse_command(text)
        if method == "Network.enable":
            self._enable(client, number)
            return True
        command = self._commands.get(method)
        if command is None:
            return False
        answer: Params = {"id": number}
        try:
            answer["result"] = command(client, params)
        except Refused as refused:
            answer["error"] = refused.answer
        except InvalidParams:
            answer["error"] = Refused(INVALID_PARAMS, "Invalid parameters").answer
        self._send(client, json.dumps(answer))
        return True

    def _enable(self, client: int, number: object) -> None:
        """Answer once the program is observed: no request that follows the answer is missed."""
        self._clients.add(client)
        self._observe(lambda: self._send(client, json.dumps({"id": number, "result": {}})))

    def _disable(self, client: int, _params: Params) -> Params:
        self.forget(client)
        return {}

    def forget(self, client: int) -> None:
        """A front end no longer observes requests, or has disconnected."""
        if client not in self._clients:
            return
        self._clients.discard(client)
        for clients in self._streaming.values():
            clients.discard(client)
        if not self._clients:
            self._observe(lambda: None)
            self._exchanges.clear()
            self._streaming.clear()
            self._size = 0

    def _get_post_data(self, client: int, params: Params) -> Params:
        bodies = self._find(params)
        body = bodies.parts["request"]
        if not bodies.is_whole["request"]:
            raise Refused(SERVER_ERROR, "Request body is too large")
        if client < 0 and bodies.request_charset.lower() != "utf-8":  # as in Node; front ends show a body of any type
            raise Refused(SERVER_ERROR, _BINARY)
        try:
            return {"postData": body.decode()}
        except UnicodeDecodeError:
            raise Refused(SERVER_ERROR, _BINARY) from None

    def _get_body(self, client: int, params: Params) -> Params:
        bodies = self._find(params)
        if not bodies.is_over:
            raise Refused(INVALID_PARAMS, "Response body is not complete")
        if not bodies.is_whole["response"]:
            raise Refused(SERVER_ERROR, "Response body is too large")
        body = bytes(bodies.parts["response"])
        text = _text(body, bodies, shows_unlabelled=client > 0)
        return (
            {"body": _base64(body), "base64Encoded": True} if text is None else {"body": text, "base64Encoded": False}
        )

    def _stream(self, client: int, params: Params) -> Params:
        bodies = self._find(params)
        if not bodies.is_over:
            self._streaming.setdefault(params["requestId"], set()).add(client)
        return {"bufferedData": _base64(bytes(bodies.parts["response"]))}

    def _find(self, params: Params) -> _Bodies:
        number = params.get("requestId")
        if not isinstance(number, str):
            raise Refused(INVALID_PARAMS, "Invalid parameters")
        if number not in self._exchanges:
            raise Refused(INVALID_PARAMS, "Request not found")
        return self._exchanges[number]

    # --- what JavaScript reports

    def report(self, method: str, params: str) -> None:
        """Pass on an event; `params` is JSON."""
        if not self._clients:
            return
        facts = json.loads(params)
        number = facts.get("requestId", "")
        if method == "Network.requestWillBeSent":
            self._exchanges[number] = bodies = _Bodies()
            if isinstance(charset := facts.pop("charset", None), str):
                bodies.request_charset = charset
                params = json.dumps(facts)
        elif method in _OVER:
            self._streaming.pop(number, None)
            if number in self._exchanges:
                self._exchanges[number].is_over = True
        streaming = self._streaming.get(number, ()) if method == "Network.dataReceived" else ()
        observers = {client for client in self._clients if client > 0 or not number.startswith(_SERVED)}
        for client in observers.difference(streaming):
            self._send(client, f'{{"method":"{method}","params":{params}}}')
        if streaming:
            newest, block = self._newest
            data = _base64(block) if newest == number else ""
            text = json.dumps({"method": method, "params": {**json.loads(params), "data": data}})
            for client in streaming:
                self._send(client, text)

    def add_data(self, number: str, part: str, data: object) -> None:
        """Keep `data`, bytes or text, of the "request" or "response" body of an exchange."""
        block = data.encode(errors="replace") if isinstance(data, str) else _bytes(data)
        bodies = self._exchanges.get(number)
        if bodies is not None and bodies.is_whole[part]:
            self._keep(bodies, part, block)
        if number in self._streaming:
            self._newest = number, block

    def _keep(self, bodies: _Bodies, part: str, block: bytes) -> None:
        body = bodies.parts[part]
        if len(body) + len(block) > MOST_BYTES_OF_ONE:
            self._size -= len(body)
            body.clear()
            bodies.is_whole[part] = False
            return
        body += block
        self._size += len(block)
        while self._size > MOST_BYTES:
            oldest = next(iter(self._exchanges))
            self._size -= self._exchanges.pop(oldest).size

    def set_type(self, number: str, mime_type: str, charset: str) -> None:
        """Record what the response's body is."""
        if bodies := self._exchanges.get(number):
            bodies.mime_type, bodies.charset = mime_type, charset


def _bytes(data: object) -> bytes:
    return bytes(data) if isinstance(data, (_native.JsBuffer, bytes, bytearray, memoryview)) else b""


def _base64(data: bytes) -> str:
    from base64 import b64encode

    return b64encode(data).decode()


def _is_textual(mime_type: str) -> bool:
    """Return whether contents of a type are text without a charset."""
    kind, _, name = mime_type.partition("/")
    return kind == "text" or name.rpartition("+")[2] in _TEXTUAL


def _text(body: bytes, bodies: _Bodies, *, shows_unlabelled: bool) -> str | None:
    """Return the body as text; None if it is binary. A body without a type is binary in Node; front ends show it."""
    if not bodies.charset and not (_is_textual(bodies.mime_type) or (shows_unlabelled and not bodies.mime_type)):
        return None
    try:
        return body.decode(bodies.charset or "utf-8")
    except (LookupError, UnicodeDecodeError):
        return None
