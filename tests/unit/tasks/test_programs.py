"""Which programs a key covers: those that a shell finds in PATH for the first words of commands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rt_supervisor.tasks.keys import _Programs


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str, str]:
    for folder, names in (("own", ("tool",)), ("first", ("both", "tool")), ("second", ("both", "other"))):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_text(folder)
            os.utime(tmp_path / folder / name, ns=(0, 7))
    return str(tmp_path / "own"), str(tmp_path / "first"), str(tmp_path / "second")


def test_the_first_place_in_path_counts(tmp_path: Path, folders: tuple[str, str, str]) -> None:
    own, first, second = folders
    programs = _Programs(str(tmp_path / "workspace"))
    names = ("tool", "both", "other", "missing")
    assert programs.identities(names, f"{own}:{first}:{second}") == ["tool 3 7", "both 5 7", "other 6 7", "missing"]
    assert programs.identities(names, f"{own}-missing:{first}::{second}") == [
        "tool 5 7",
        "both 5 7",
        "other 6 7",
        "missing",
    ]
    assert programs.identities(names, f":{second}:{first}") == ["tool 5 7", "both 6 7", "other 6 7", "missing"]
    assert programs.identities(names, "") == list(names)


def test_words_that_are_not_searched_for_stand_for_themselves(tmp_path: Path, folders: tuple[str, str, str]) -> None:
    own, first, _ = folders
    programs = _Programs(str(tmp_path / "workspace"))
    words = ("", ".", "..", "./tool", "../first/tool", "a\0b")
    for path in (f"{own}:{first}", f"{own}-missing:{first}"):
        assert programs.identities(words, path) == list(words)
    assert programs.identities((f"{first}/tool",), own) == ["tool 5 7"]


def test_the_time_of_a_program_in_the_workspace_does_not_count(tmp_path: Path, folders: tuple[str, str, str]) -> None:
    own, first, _ = folders
    assert _Programs(str(tmp_path)).identities(("tool",), f"{own}:{first}") == ["tool 3 0"]
