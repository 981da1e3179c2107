"""Operations of `js/node/cluster`: passing sockets between processes over a socket pair.

A packet is a line of JSON with one descriptor. Failures are negative errno values.
"""

from __future__ import annotations

import _socket
import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..host import Host

MOST_BYTES = 4096


def operations(host: Host) -> dict[str, Any]:
    import socket

    loop = host.loop

    def pair() -> list[int]:
        """Return both ends of a connection for packets; the second is for a child."""
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET | _socket.SOCK_CLOEXEC)
        ours.setblocking(False)
        return [ours.detach(), theirs.detach()]

    def send(channel: int, descriptor: int, text: str) -> int:
        end = socket.socket(fileno=channel)
        try:
            socket.send_fds(end, [text.encode()], [descriptor])
            return 0
        except OSError as error:
            return -(error.errno or errno.EINVAL)
        finally:
            end.detach()

    def receive(channel: int, callback: Any) -> int:
        """Call `callback(text, descriptor)` for each packet, until the other end is closed."""

        def readable() -> None:
            while True:
                end = socket.socket(fileno=channel)
                try:
                    data, descriptors, _, _ = socket.recv_fds(end, MOST_BYTES, 1)
                except OSError as error:
                    if error.errno == errno.EAGAIN:
                        return
                    data, descriptors = b"", []
                finally:
                    end.detach()
                if not data:
                    loop.unwatch(channel)
                    return
                for descriptor in descriptors:
                    os.set_inheritable(descriptor, False)
                host.entry.invoke("call", callback, data.decode(), descriptors[0] if descriptors else -1)

        try:
            os.set_inheritable(channel, False)
            os.set_blocking(channel, False)
            loop.watch(channel, readable)
        except OSError as error:
            return -(error.errno or errno.EINVAL)
        return 0

    def close(descriptor: int) -> None:
        """Stop listening to a descriptor and close it."""
        loop.unwatch(descriptor)
        loop.disown(descriptor)
        os.close(descriptor)

    return {"pair": pair, "send": (send, "vvs"), "receive": receive, "close": close, "copy": _copy}


def _copy(descriptor: int) -> int:
    """Duplicate the descriptor of a socket."""
    try:
        return os.dup(descriptor)
    except OSError as error:
        return -(error.errno or errno.EINVAL)
