"""Addresses of clusters, as `--on`, `RT_CLUSTER` and `[cluster] address` give them, and which of them may be used without encryption.

Knows nothing of Dask, so that a run without a cluster imports nothing else of this package.
"""

from __future__ import annotations

import ipaddress
import json
import os

from ..vocabulary.errors import Failed
from ..vocabulary.record import record

LOCAL = "local:"
_SCHEMES = ("tcp://", "tls://")
_MOST_AGENTS = 256


@record
class Address:
    """Where the scheduler is: at `url` ("tcp://127.0.0.1:8786"), or nowhere yet: `agents` processes of this machine are started for
    the run (0 otherwise).
    """

    url: str
    agents: int = 0

    @property
    def is_encrypted(self) -> bool:
        return self.url.startswith("tls://")


def parse_address(text: str, folder: str) -> Address:
    """Return the address that `text` means: a URL, "local:4", or the path of a scheduler file, relative to `folder`. Raises Failed."""
    if text.startswith(LOCAL):
        count = text.removeprefix(LOCAL)
        if not count.isascii() or not count.isdecimal() or not 1 <= int(count) <= _MOST_AGENTS:
            raise Failed(
                "cluster-address", f'"{text}": the number of agents must be from 1 to {_MOST_AGENTS}, as in local:4'
            )
        return Address("", int(count))
    if text.startswith(_SCHEMES):
        host_of(text)
        return Address(text)
    path = os.path.join(folder, text)
    if os.path.isfile(path):
        return Address(_address_in(path))
    raise Failed(
        "cluster-address",
        f'"{text}" is not the address of a cluster: use tcp://HOST:PORT, tls://HOST:PORT, the path of a scheduler file, or local:4',
    )


def _address_in(path: str) -> str:
    """Return the address in a scheduler file of Dask. Raises Failed."""
    try:
        with open(path, "rb") as file:
            found = json.load(file)
        url = found["address"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failed(
            "cluster-address",
            f"{path} is not a scheduler file: it has no address; `dask scheduler --scheduler-file` writes one",
        ) from error
    if not isinstance(url, str) or not url.startswith(_SCHEMES):
        raise Failed("cluster-address", f"{path}: the address {url!r} is neither tcp:// nor tls://")
    return url


def host_of(url: str) -> str:
    """Return the host of a URL with a port. Raises Failed."""
    place = url.partition("://")[2]
    host, _, port = place.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise Failed(
            "cluster-address", f'"{url}" has no host and port, as in {url.partition("://")[0]}://scheduler:8786'
        )
    return host.removeprefix("[").removesuffix("]")


def refuse_plain(url: str, *, is_insecure: bool) -> None:
    """Raise Failed for an address to which connections would be neither encrypted nor authenticated, unless it is on this machine."""
    if is_insecure or url.startswith("tls://") or is_loopback(host_of(url)):
        return
    raise Failed(
        "cluster-insecure",
        f"connections to {url} would be neither encrypted nor authenticated, and a scheduler runs any code that it is sent: use "
        "tls:// (`rt agent --make-certificates DIR`), or --insecure in a network that you trust",
    )


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
