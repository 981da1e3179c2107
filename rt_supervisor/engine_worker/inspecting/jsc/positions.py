"""Scripts and places: V8 names files by `file:` URLs, JavaScriptCore by paths; stack frames count lines from 1 in consoles."""

from __future__ import annotations

import re
from urllib.parse import unquote

from ..internal_scripts import INTERNAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .table import Params

_FILE = "file://"


def to_name(url: str) -> str:
    """Return the name by which clients know the script at V8's `url`."""
    return unquote(url[len(_FILE) :]) if url.startswith(_FILE) else url


def exact_pattern(name: str) -> str:
    """Return the regular expression that matches V8's URL of the script that clients call `name`."""
    encoded = "".join(_either(character) for character in name)
    return f"^(?:{_FILE})?{encoded}$"


def _either(character: str) -> str:
    """Return a pattern for a character as it is or percent-encoded."""
    if character.isascii() and (character.isalnum() or character in "/-._"):
        return re.escape(character)
    escapes = "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
    return f"(?:{re.escape(character)}|{escapes})"


def client_pattern(pattern: str) -> str:
    """Return a client's regular expression for names as one for V8's URLs."""
    return f"^(?:{_FILE})?{pattern[1:]}" if pattern.startswith("^/") else pattern


def location(place: Params) -> Params:
    """Return a place in a script without what only V8 adds."""
    return {name: place[name] for name in ("scriptId", "lineNumber", "columnNumber") if name in place}


def stack_trace(trace: Params) -> Params:
    """Return a stack trace of the console, with those of the tasks that it follows."""
    result: Params = {
        "callFrames": [
            {
                "functionName": frame["functionName"],
                "url": to_name(frame["url"]),
                "scriptId": frame["scriptId"],
                "lineNumber": frame["lineNumber"] + 1,
                "columnNumber": frame["columnNumber"] + 1,
            }
            for frame in trace.get("callFrames", ())
            if not frame["url"].startswith(INTERNAL)
        ]
    }
    parent = trace.get("parent")
    if parent is not None:
        result["parentStackTrace"] = stack_trace(parent)
    return result
