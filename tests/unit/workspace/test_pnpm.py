"""The `packages` list of pnpm-workspace.yaml, in its usual notations."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.workspace.pnpm import parse_patterns, read_patterns


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("packages:\n  - 'a/*'\n  - \"b\"\n  - c/**\n  - '!d'\n", ("a/*", "b", "c/**", "!d")),
        ("packages:\n- a\n- b\ncatalog:\n  react: 1\n", ("a", "b")),
        ("# c\n\npackages: # which\n  # apps\n  - apps/* # ours\n\n  - 'x#y'\nother: [z]\n", ("apps/*", "x#y")),
        ("\ufeffpackages:\r\n  - a\r\n", ("a",)),
        ("packages: ['a/*', \"b\", c]\n", ("a/*", "b", "c")),
        ("packages: [\n  'a',\n  '{b,c}/*', # two\n  {d,e}/*\n]\n", ("a", "{b,c}/*", "{d,e}/*")),
        ("'packages':\n  - a\n", ("a",)),
        ("onlyBuiltDependencies:\n  - x\npackages:\n  - a\n", ("a",)),
        ("catalog:\n  packages:\n    - x\npackages:\n  - a\n", ("a",)),
        ("packages:\n  - 'it''s'\n", ("it's",)),
        ("packages:\n", None),
        ("packages: nope\n", None),
        ("packages: []\n", ()),
        ("catalog: {}\n", None),
        ("", None),
    ],
)
def test_lists(text: str, expected: tuple[str, ...] | None) -> None:
    assert parse_patterns(text.removeprefix("\ufeff")) == expected


def test_unreadable_files_list_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "gone", tmp_path, tmp_path / "pipe"):
        assert read_patterns(str(path)) is None
    (tmp_path / "y.yaml").write_bytes(b"\xef\xbb\xbfpackages:\r\n  - a\xff\r\n")
    assert read_patterns(str(tmp_path / "y.yaml")) == ("a\ufffd",)


@given(st.text(st.sampled_from("packages:\n- '\"[],{}#ab \t") | st.characters(codec="utf-8"), max_size=80))
def test_any_text_is_read(text: str) -> None:
    result = parse_patterns("packages:" + text)
    assert result is None or all(result)
