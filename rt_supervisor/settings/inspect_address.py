"""The address on which the debugger listens: `[host:]port[/path]`, each part of which is optional.

Imported only with a flag that has an address. A host without a port and an IPv6 address in brackets are valid; hosts are
resolved when the debugger listens.
"""

from __future__ import annotations

from ..vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Address: TypeAlias = tuple[
        str, int | None, str
    ]  # host, port (None: 9229, or any), the WebSocket's path ("": a random one)

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9229
ANYWHERE: Address = (DEFAULT_HOST, None, "")
LOWEST_PORT = 1024
INVALID_STATUS = 9  # Node's status for a bad argument


def read_address(flag: str, value: str) -> Address:
    """Parse the `value` of `flag`. Raises Failed for an invalid port."""
    place, _, path = value.partition("/")
    host, port = place, ""
    if place.isascii() and place.isdigit():
        host, port = "", place
    elif not place.endswith("]"):
        host, _, port = place.rpartition(":") if ":" in place else (place, "", "")
    if port and not _is_port(port):
        words = "The port must be 0 or in the range 1024 to 65535."
        raise Failed("invalid-flag-value", f'Invalid value for --{flag}: "{value}". {words}', INVALID_STATUS)
    return host or DEFAULT_HOST, int(port) if port else None, path


def is_page_address(text: str) -> bool:
    """Whether `text` is the address of a page of the web, to which a fragment can be appended."""
    scheme, separator, rest = text.partition("://")
    is_web = scheme.lower() in ("http", "https") and bool(separator)
    return is_web and bool(rest) and text.isprintable() and not any(letter in rest for letter in "# ")


def _is_port(text: str) -> bool:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        return False
    return int(text) == 0 or LOWEST_PORT <= int(text) <= 65535
