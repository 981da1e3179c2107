"""Changes of files that a test reports, in the place of a watcher."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rt_supervisor.vocabulary.identity import Identity


class ScriptedChanges:
    """Changes reported by the test."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.new: frozenset[str] = frozenset()
        self.brief: frozenset[str] = frozenset()
        self.timeout_s: float | None = None

    def fileno(self) -> int | None:
        return None

    def take(self) -> list[str]:
        taken, self.waiting = self.waiting, []
        return taken

    def follow_files(self, files: Mapping[str, Identity]) -> None:
        raise AssertionError("the tree is followed")

    def close(self) -> None:
        return
