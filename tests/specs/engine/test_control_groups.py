"""Limits of control groups. A mount namespace replaces their files by those of the test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from rig import Box, executable

SHOWS = 'mount --bind "$1" /sys/fs/cgroup && exec "$2" -p "process.constrainedMemory()"'
NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")


def own_group() -> str:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            return line[3:]
    return "/"


def test_the_smallest_limit_on_the_way_counts(box: Box, tmp_path: Path) -> None:
    groups = tmp_path / "groups"
    groups.mkdir()
    probe = subprocess.run([*NAMESPACE, "mount", "--bind", str(groups), "/sys/fs/cgroup"], capture_output=True)
    if probe.returncode != 0:
        pytest.skip("the system does not allow this user to mount anything")

    def limit() -> str:
        command = [*NAMESPACE, "bash", "-c", SHOWS, "bash", str(groups), executable()]
        done = subprocess.run(command, cwd=box.folder, env=box.environment(), capture_output=True, check=True)
        return done.stdout.decode().strip()

    unlimited = "18446744073709552000"  # 2 to the power of 64, as JavaScript prints it
    assert limit() == unlimited
    (groups / "memory.max").write_text("max\n")
    assert limit() == unlimited
    (groups / "memory.max").write_text("500000000\n")
    assert limit() == "500000000"
    inner = groups / own_group().strip("/")
    inner.mkdir(parents=True, exist_ok=True)
    (inner / "memory.max").write_text("400000000\n")
    (inner / "memory.high").write_text("450000000\n")
    assert limit() == "400000000"
