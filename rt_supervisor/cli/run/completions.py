"""`rt completions`: prints the completion script of a shell, or the possible words at the cursor."""

from __future__ import annotations

import os

from ...vocabulary.errors import Failed
from ..line import completions
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from ...workspace.manifest import Manifest

    class ProjectReader(Protocol):
        """What completions need of the project; all may raise Failed."""

        def find_manifest(self, folder: str) -> Manifest | None: ...
        def package_names(self, folder: str) -> Iterable[str]: ...
        def selected_scripts(self, folder: str, patterns: Sequence[str]) -> Mapping[str, int]: ...


def print_completions(words: Sequence[str], reader: ProjectReader) -> int:
    """Print the script for the shell that `words` or $SHELL name, or the lines for `--complete WORDS`. Raises Failed."""
    if words[:1] == ("--complete",):
        lines = completions.answers(words[1:], _Project(reader))
        write(1, "".join(f"{line}\n" for line in lines))
        return 0
    shell = words[0] if words else os.path.basename(os.environ.get("SHELL", ""))
    if shell not in completions.SHELLS:
        raise Failed("unknown-shell", f'rt completions needs the name of a shell, bash, zsh or fish; got "{shell}"')
    write(1, completions.script(shell))
    return 0


class _Project:
    """The project as completions see it: what cannot be read has no names."""

    def __init__(self, reader: ProjectReader) -> None:
        self._reader = reader

    def script_names(self, folder: str) -> Mapping[str, str]:
        try:
            manifest = self._reader.find_manifest(folder)
        except Failed:
            return {}
        return manifest.scripts if manifest else {}

    def package_names(self, folder: str) -> Iterable[str]:
        try:
            return self._reader.package_names(folder)
        except Failed:
            return ()

    def running(self, folder: str, words: Sequence[str]) -> Mapping[str, str]:
        from .runs import running_names

        try:
            return running_names(folder, words)
        except Failed:
            return {}

    def selected_scripts(self, folder: str, patterns: Sequence[str]) -> Mapping[str, int]:
        try:
            return self._reader.selected_scripts(folder, patterns)
        except Failed:
            return {}
