"""The address of the debugger: `[host:]port[/path]`, each part of which is optional, or a URL as Bun writes it.

`ws://` is the same address, `ws+unix://` a Unix socket to listen on, `unix:` a Unix socket on which a front end listens.
`RT_INSPECT` holds such a URL for the programs of a script; `?wait=1` and `?break=1` say how they start.

Imported only with a flag or variable that has an address. A host without a port and an IPv6 address in brackets are valid;
hosts are resolved when the debugger listens.
"""

from __future__ import annotations

from ..vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    # Host, port (None: 9229, or any), the WebSocket's path ("": a random one). The host of a socket is its URL.
    Address: TypeAlias = tuple[str, int | None, str]
    # How a program starts: it runs, waits for a front end, or pauses at its first statement. "": nothing listens yet.
    Mode: TypeAlias = Literal["", "on", "wait", "break"]

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 9229
ANYWHERE: Address = (DEFAULT_HOST, None, "")
LOWEST_PORT = 1024
INVALID_STATUS = 9  # Node's status for a bad argument
_PATH_SIGNS = frozenset("-._~!$&'()*+,;=:@%/")
_LISTENS, _CONNECTS = "ws+unix://", ("unix://", "unix:")


def read_address(flag: str, value: str) -> Address:
    """Parse the `value` of `flag`, a flag with its dashes or a variable. Raises Failed for an invalid one."""
    if value.startswith((_LISTENS, *_CONNECTS)):
        listens = value.startswith(_LISTENS)
        prefix = _LISTENS if listens else next(each for each in _CONNECTS if value.startswith(each))
        path = value[len(prefix) :]
        if not path or "\0" in path:
            raise _invalid(flag, value, "The URL must name a socket.")
        return f"{_LISTENS if listens else _CONNECTS[0]}{path}", 0, ""
    scheme, separator, rest = value.partition("://")
    if separator and scheme.lower() != "ws":
        raise _invalid(flag, value, "The URL must start with ws://, ws+unix:// or unix://.")
    place, _, path = (rest if separator else value).partition("/")
    host, port = place, ""
    if place.isascii() and place.isdigit():
        host, port = "", place
    elif not place.endswith("]"):
        host, _, port = place.rpartition(":") if ":" in place else (place, "", "")
    if port and not _is_port(port):
        raise _invalid(flag, value, "The port must be 0 or in the range 1024 to 65535.")
    if not all(letter.isascii() and (letter.isalnum() or letter in _PATH_SIGNS) for letter in path):
        raise _invalid(flag, value, "The path must consist of characters of a URL's path.")
    return host or DEFAULT_HOST, int(port) if port else None, path


def _invalid(flag: str, value: str, words: str) -> Failed:
    return Failed("invalid-flag-value", f'Invalid value for {flag}: "{value}". {words}', INVALID_STATUS)


def socket_of(address: Address) -> tuple[str, bool] | None:
    """Return the path of the Unix socket and whether to listen on it; None for a TCP address."""
    host = address[0]
    if host.startswith(_LISTENS):
        return host[len(_LISTENS) :], True
    return (host[len(_CONNECTS[0]) :], False) if host.startswith(_CONNECTS[0]) else None


def free_port(address: Address) -> int | None:
    """Return a port for a program that selects one itself; None if `address` has one, is a socket, or cannot be listened at."""
    import socket

    host, port, _ = address
    if port or socket_of(address):
        return None
    for wanted in (DEFAULT_PORT, 0) if port is None else (0,):
        try:
            family, *_, place = socket.getaddrinfo(host.strip("[]"), wanted, type=socket.SOCK_STREAM)[0]
            with socket.create_server(place[:2], family=family) as server:
                return int(server.getsockname()[1])
        except OSError:
            pass
    return None


def to_url(address: Address, mode: Mode) -> str:
    """Return the value of RT_INSPECT that means an address and a way to start."""
    host, port, path = address
    end = "" if mode in ("", "on") else f"?{mode}=1"
    if socket_of(address):
        return host + end
    return f"ws://{host}{'' if port is None else f':{port}'}/{path}{end}"


def from_url(variable: str, value: str) -> tuple[Address, Mode]:
    """Return the address and the way to start that the `value` of a variable means. Raises Failed."""
    url, _, query = value.partition("?")
    if url[:1].isdigit() and "://" in url:  # a flag of the peer's, which precedes the URL
        url = url[1:]
    mode: Mode = "break" if query == "break=1" else "wait" if query == "wait=1" else "on"
    return read_address(variable, url), mode


def is_page_address(text: str) -> bool:
    """Whether `text` is the address of a page of the web, to which a fragment can be appended."""
    scheme, separator, rest = text.partition("://")
    is_web = scheme.lower() in ("http", "https") and bool(separator)
    return is_web and bool(rest) and text.isprintable() and not any(letter in rest for letter in "# ")


def _is_port(text: str) -> bool:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        return False
    return int(text) == 0 or LOWEST_PORT <= int(text) <= 65535
