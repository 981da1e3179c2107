"""Where the debugger's clients come from: a port, a Unix socket, or a client that is connected to."""

from __future__ import annotations

from ... import _native
from ...settings.inspect_address import DEFAULT_PORT, socket_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...settings.inspect_address import Address

_SIGN = b"1"
# Ports for programs that share an address: outside the ranges of system services and of outgoing connections.
_FIRST_OWN_PORT, _OWN_PORTS = 20_000, 12_000
_PATIENCE_S = 2.0


class CannotListen(Exception):
    """The server cannot listen; the text is Node's message."""


def listen(address: Address, *, is_shared: bool, name: str) -> _native.InspectorServer:
    """Return the server at `address`. A port that is in use is replaced by another if none is given or others share the
    address: then by the same one at each start of the program `name`, unless that is in use too. Raises CannotListen.
    """
    host, port, _ = address
    socket = socket_of(address)
    try:
        if socket is not None:
            path, listens = socket
            host, port = path, None
            return _native.InspectorServer.at_socket(path) if listens else _native.InspectorServer.connected_to(path)
        others = [_own_port(name), 0] if is_shared else [] if port is not None else [0]
        first = [DEFAULT_PORT if port is None else port] if port != 0 or not is_shared else []
        return _first_server(host, first + others)
    except OSError as error:
        words = str(error).partition(" (os error")[0].lower()
        words = words.replace("cannot assign requested address", "address not available")
        place = host if socket else f"{host}:{port or 0}"
        raise CannotListen(f"Starting inspector on {place} failed: {words}") from error
    except ValueError as error:
        raise CannotListen(f'Unable to resolve "{host}": unknown node or service') from error


def _first_server(host: str, ports: list[int]) -> _native.InspectorServer:
    """Return a server on the first of `ports` that is free. Raises OSError for the last one."""
    *before, last = ports
    for port in before:
        try:
            return _native.InspectorServer(host, port)
        except OSError:
            pass
    return _native.InspectorServer(host, last)


def _own_port(name: str) -> int:
    """Return a port that depends on a program's name only, so that a client finds a restarted program again."""
    from zlib import crc32

    return _FIRST_OWN_PORT + crc32(name.encode(errors="surrogateescape")) % _OWN_PORTS


def notify(url: str) -> None:
    """Tell the client that waits at `url` (`unix://` or `tcp://`) that the debugger listens; it may be gone."""
    import socket

    scheme, _, place = url.partition("://")
    try:
        if scheme == "unix":
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(_PATIENCE_S)
                client.connect(place)
                client.sendall(_SIGN)
        elif scheme == "tcp":
            host, _, port = place.rpartition(":")
            with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE_S) as connection:
                connection.sendall(_SIGN)
    except (OSError, ValueError):
        pass
