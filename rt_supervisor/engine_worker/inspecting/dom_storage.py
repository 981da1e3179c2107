"""The domain `DOMStorage` in Node's form, and `Storage.getStorageKey`: what `localStorage` and `sessionStorage` contain, and their
changes.

`js/node/inspector/dom_storage.js` observes both while a front end has enabled the domain, and nothing otherwise. A program that
stores its data elsewhere can offer it as one of them (`inspector.DOMStorage.registerStorage`).
"""

from __future__ import annotations

import json

from .network import INVALID_PARAMS, SERVER_ERROR, Refused, parse_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Params: TypeAlias = dict[str, Any]

_UNCHANGEABLE = ("DOMStorage.clear", "DOMStorage.removeDOMStorageItem", "DOMStorage.setDOMStorageItem")
_NOT_IMPLEMENTED = Refused(SERVER_ERROR, "Not implemented")


class DomStorage:
    """The front ends that observe storages. `send(client, text)` reaches one; `ask(hook, value, then)` calls a hook of JavaScript
    as soon as it can be called, and `then` with the result.
    """

    def __init__(
        self, send: Callable[[int, str], None], ask: Callable[[str, object, Callable[[Any], None]], None]
    ) -> None:
        self._send = send
        self._ask = ask
        self._clients: set[int] = set()
        self._offered: dict[bool, list[list[str]]] = {}  # is it localStorage? -> entries

    def answer(self, client: int, text: str) -> bool:
        """Answer the message `text` if it is a command of these domains; return whether it is."""
        if '"DOMStorage.' not in text and '"Storage.' not in text:
            return False
        number, method, params = parse_command(text)

        def reply(result: Params | Refused) -> None:
            what = {"error": result.answer} if isinstance(result, Refused) else {"result": result}
            self._send(client, json.dumps({"id": number, **what}))

        match method:
            case "DOMStorage.enable":
                self._clients.add(client)
                self._observe(lambda: reply({}))
            case "DOMStorage.disable":
                self.forget(client)
                reply({})
            case "DOMStorage.getDOMStorageItems":
                self._list(client, params.get("storageId"), reply)
            case "Storage.getStorageKey":
                self._ask("storageKey", None, lambda key: reply({"storageKey": key} if key else _NO_KEY))
            case str() if method in _UNCHANGEABLE:
                reply(_NOT_IMPLEMENTED)
            case _:
                return False
        return True

    def _list(self, client: int, storage: object, reply: Callable[[Params | Refused], None]) -> None:
        is_local = storage.get("isLocalStorage") if isinstance(storage, dict) else None
        if not isinstance(is_local, bool):
            reply(Refused(INVALID_PARAMS, "Invalid parameters"))
        elif client not in self._clients:
            reply(Refused(SERVER_ERROR, "DOMStorage domain is not enabled"))
        elif is_local in self._offered:
            reply({"entries": self._offered[is_local]})
        else:
            self._ask("storageItems", is_local, lambda entries: reply({"entries": json.loads(entries)}))

    def forget(self, client: int) -> None:
        """A front end no longer observes storages, or has disconnected."""
        if client in self._clients:
            self._clients.discard(client)
            self._observe(lambda: None)

    def _observe(self, then: Callable[[], None]) -> None:
        self._ask("observeStorage", bool(self._clients), lambda _: then())

    # --- what JavaScript reports

    def report(self, event: str, params: str) -> None:
        """Pass on an event; `params` is JSON."""
        for client in self._clients:
            self._send(client, f'{{"method":"DOMStorage.{event}","params":{params}}}')

    def offer(self, is_local: bool, entries: str) -> None:
        """Show `entries`, as JSON, as the contents of a storage from now on."""
        self._offered[is_local] = json.loads(entries)


_NO_KEY = Refused(SERVER_ERROR, "Could not resolve the storage key path")
