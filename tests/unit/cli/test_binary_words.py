"""The words of `rt x`."""

from __future__ import annotations

from typing import Any

import pytest

from rt_supervisor.cli.line.binary_words import BinaryWords, read_binary_words
from rt_supervisor.vocabulary.errors import Failed


def words(binary: str, *arguments: str, package: str = "", **flags: bool) -> BinaryWords:
    names = ("as_rt", "is_silent", "no_install", "needs_npx")
    return BinaryWords(binary, arguments, package, *(flags.get(name, False) for name in names))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tool", words("tool")),
        ("tool@1 -p a --bun", words("tool@1", "-p", "a", "--bun")),
        ("-y --yes tool", words("tool")),
        ("-b --silent --no-install tool", words("tool", as_rt=True, is_silent=True, no_install=True)),
        ("-p pkg@2 tool a", words("tool", "a", package="pkg@2")),
        ("--package=pkg -b tool", words("tool", package="pkg", as_rt=True)),
        ("-p a -p b tool", words("tool", package="b", needs_npx=True)),
        ("-- -odd", words("-odd")),
        ("-c tool", words("-c", "tool", needs_npx=True)),
    ],
)
def test_lines(line: str, expected: Any) -> None:
    assert read_binary_words(line.split()) == expected


@pytest.mark.parametrize("line", ["", "-y", "--silent -b", "-p pkg"])
def test_a_binary_is_required(line: str) -> None:
    with pytest.raises(Failed, match="needs the name of a binary"):
        read_binary_words(line.split())
