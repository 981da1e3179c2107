"""Machines for tests of networks: namespaces that are connected by a pair of virtual interfaces, from which packets can vanish.

A namespace exists as long as a process of the test that holds it, and nothing is mounted or configured outside of them.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_NO_MACHINE = "02:00:00:00:00:99"  # an address of hardware that no interface has


class Machine:
    """A network namespace whose processes start with `prefix`."""

    def __init__(self) -> None:
        self._holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._holder.stdout is not None
        if not self._holder.stdout.readline():
            raise OSError("a network namespace cannot be made here")
        self.pid = self._holder.pid
        self.prefix = ("nsenter", f"--net=/proc/{self.pid}/ns/net", "--")
        self.run("ip", "link", "set", "lo", "up")

    def run(self, *words: str) -> str:
        """Run a command to its end, and return what it prints. Raises CalledProcessError."""
        return subprocess.run([*self.prefix, *words], check=True, capture_output=True, text=True).stdout

    def has(self, pid: int) -> bool:
        """Return whether a process belongs to this machine."""
        return Path(f"/proc/{pid}/ns/net").readlink() == Path(f"/proc/{self.pid}/ns/net").readlink()

    def close(self) -> None:
        self._holder.communicate()


class Network:
    """Two machines, with the addresses `FIRST` and `SECOND`. Raises OSError or CalledProcessError where namespaces are not permitted."""

    FIRST, SECOND = "10.213.0.1", "10.213.0.2"

    def __init__(self) -> None:
        if os.geteuid() != 0:
            raise PermissionError("network namespaces need root")
        self.first, self.second = Machine(), Machine()
        self._ends = ((self.first, "near", self.SECOND), (self.second, "far", self.FIRST))
        pair = ("link", "add", "name", "near", "type", "veth", "peer", "name", "far", "netns", str(self.second.pid))
        self.first.run("ip", *pair)
        for machine, link, own in ((self.first, "near", self.FIRST), (self.second, "far", self.SECOND)):
            machine.run("ip", "address", "add", f"{own}/24", "dev", link)
            machine.run("ip", "link", "set", link, "up")

    def unplug(self) -> None:
        """Have all packets vanish, without an error on either side: they go to an interface that does not exist."""
        for machine, link, other in self._ends:
            machine.run("ip", "neigh", "replace", other, "lladdr", _NO_MACHINE, "dev", link, "nud", "permanent")

    def close(self) -> None:
        self.first.close()
        self.second.close()
