"""Bare specifiers of packages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.packages.specifiers import read_specifier


@pytest.mark.parametrize(
    ("specifier", "expected"),
    [
        ("a", ("a", "", "")),
        ("JSONStream/x.js", ("JSONStream", "", "/x.js")),
        ("@s/a@^1.2/b/c", ("@s/a", "^1.2", "/b/c")),
        ("a@next?x#y", ("a", "next?x#y", "")),
        ("a?x", ("a", "", "?x")),
        ("a@", None),
        ("@s", None),
        ("./a", None),
        ("#a", None),
        ("a b", None),
        ("node:fs", None),
        ("virtual:x", None),
        (".hidden", None),
        ("a" * 215, None),
        ("", None),
    ],
)
def test_specifiers(specifier: str, expected: tuple[str, str, str] | None) -> None:
    read = read_specifier(specifier)
    assert (read and (read.name, read.version, read.inside)) == expected


@given(st.text(max_size=40))
def test_any_text_parses_to_a_prefix_or_nothing(specifier: str) -> None:
    read = read_specifier(specifier)
    assert read is None or specifier.startswith(read.name)
