"""Limits of control groups, read from a folder with their layout."""

from __future__ import annotations

from pathlib import Path

from rt_supervisor._native import memory_limit_bytes


def own_group() -> str:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            return line[3:]
    return "/"


def test_the_smallest_limit_on_the_way_counts(tmp_path: Path) -> None:
    assert memory_limit_bytes(str(tmp_path)) is None
    (tmp_path / "memory.max").write_text("max\n")
    assert memory_limit_bytes(str(tmp_path)) is None
    (tmp_path / "memory.max").write_text("5000000\n")
    assert memory_limit_bytes(str(tmp_path)) == 5_000_000
    inner = tmp_path / own_group().strip("/")
    inner.mkdir(parents=True, exist_ok=True)
    (inner / "memory.max").write_text("4000000\n")
    assert memory_limit_bytes(str(tmp_path)) == 4_000_000
