"""Commands of a domain as rows of a table, and the errors that JavaScriptCore answers with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from .session import JscSession

    Params: TypeAlias = dict[str, Any]
    Handler: TypeAlias = "Callable[[JscSession, Params], Params | Later | None]"
    Listener: TypeAlias = Callable[[JscSession, Params], None]

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, SERVER_ERROR = -32700, -32600, -32601, -32602, -32000

_TYPES: dict[str, tuple[type, ...]] = {
    "String": (str,),
    "Boolean": (bool,),
    "Integer": (int,),
    "Double": (int, float),
    "Object": (dict,),
    "Array": (list,),
}


class ProtocolError(Exception):
    """A command cannot be carried out; the client gets the code and the message."""

    def __init__(self, message: str, code: int = SERVER_ERROR, details: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details

    def answer(self) -> Params:
        listed = [{"code": self.code, "message": text} for text in (*self.details, self.message)]
        return {"code": self.code, "message": self.message, "data": listed}


class Later:
    """The result of a command that V8 answers later: the request to V8, and the translation of its result."""

    def __init__(self, method: str, params: Params, translate: Callable[[Params], Params]) -> None:
        self.method = method
        self.params = params
        self.translate = translate


class Command:
    """One command: its handler, and the types of its parameters; those whose names end with "?" are optional."""

    __slots__ = ("handler", "parameters")

    def __init__(self, handler: Handler, **parameters: str) -> None:
        self.handler = handler
        self.parameters: Mapping[str, str] = parameters

    def check(self, method: str, params: Params) -> None:
        """Raise ProtocolError for missing parameters and those of a wrong type."""
        details = []
        for name, described in self.parameters.items():
            kind = described.removesuffix("?")
            if name not in params:
                if kind == described:
                    details.append(f"Parameter '{name}' with type '{kind}' was not found.")
                continue
            value = params[name]
            is_boolean = isinstance(value, bool)
            if not isinstance(value, _TYPES[kind]) or (is_boolean and kind != "Boolean"):
                details.append(f"Parameter '{name}' has wrong type. It must be '{kind}'.")
        if details:
            raise ProtocolError(
                f"Some arguments of method '{method}' can't be processed", INVALID_PARAMS, tuple(details)
            )


class Domain:
    """A domain: its commands by name, and what it does with V8's events, by their names."""

    __slots__ = ("commands", "events")

    def __init__(self, commands: Mapping[str, Command], events: Mapping[str, Listener] | None = None) -> None:
        self.commands = commands
        self.events: Mapping[str, Listener] = events or {}


def accept(_session: JscSession, _params: Params) -> None:
    """Carry out a command that changes nothing here."""


def refuse(message: str) -> Handler:
    """Return the handler of a command without meaning here."""

    def handler(_session: JscSession, _params: Params) -> None:
        raise ProtocolError(message)

    return handler
