"""The words of RT_OPTIONS."""

from __future__ import annotations

import pytest

from rt_supervisor.cli.line.options_variable import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  ", []),
        ("--smol  --title=x", ["--smol", "--title=x"]),
        ("--title 'two words'", ["--title", "two words"]),
        ('--define "A:\\"x\\""', ["--define", 'A:"x"']),
        ("--title it's", ["--title", "it's"]),
        ("-e 1 + 1", ["-e", "1", "+", "1"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected
