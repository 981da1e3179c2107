"""scripts/prose-check: what counts as a comment, which phrases it finds, and its figures."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "prose-check"


def load() -> Any:
    loader = importlib.machinery.SourceFileLoader("prose_check", str(SCRIPT))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


check = load()


def found(path: str, source: str) -> list[tuple[int, str]]:
    tally = check.Tally()
    tally.add(path, source)
    return sorted((line, name) for area in tally.found.values() for _, line, name in area)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nobody reads it.", ["nobody"]),
        ("The parent is told, and they are told.", ["told", "told"]),
        ("A folder is no file.", ["is no"]),
        ("There is no file, and it is no longer open.", []),
        ("Whoever asks heeds it anew.", ["whoever", "heeds", "anew"]),
        ("The answer is had from a table.", ["is had"]),
        ("It has a process of its own.", ["of its own"]),
        ("A method of its own class.", []),
        ("Text that is\ntold over two lines.", ["told"]),
        ("It tells whether somebody said so.", ["tells", "somebody"]),
        ("The process is gone for ever.", ["is gone", "for ever"]),
        ("Its own cache, else nowhere.", ["else"]),
        ("If it fails, else if it ends, stop.", []),
        ("Used where there is none, as bash has it.", ["where there is", "as it has it"]),
        ("SAFETY: the buffer lives through the call.", ["lives through"]),
        ("Ordinary English.", []),
    ],
)
def test_phrases(text: str, names: list[str]) -> None:
    block = check.Block(1, tuple(text.split("\n")))
    assert sorted(name for _, name in check.find_phrases(block)) == sorted(names)


def test_python_docstrings_and_comments_count() -> None:
    source = '"""One.\n\nNobody."""\n\nx = "nobody"  # nobody\n\n\ndef f():\n    """Anew."""\n    # whoever\n'
    assert found("rt_supervisor/a.py", source) == [(3, "nobody"), (5, "nobody"), (9, "anew"), (10, "whoever")]


@pytest.mark.parametrize("path", ["native/src/a.rs", "rt_supervisor/engine_worker/js/rt/a.js", "stubs/js/a.d.ts"])
def test_slash_comments_count_and_strings_do_not(path: str) -> None:
    source = "// nobody\n/** anew\n * whoever */\ncall('// nobody'); // heeds\nconst x = \"nobody\";\n"
    assert found(path, source) == [(1, "nobody"), (2, "anew"), (3, "whoever"), (4, "heeds")]


def test_pages_count_without_their_code() -> None:
    source = "# Page\n\nNobody.\n\n```\nnobody\n```\n"
    assert found("docs/page.md", source) == [(3, "nobody")]
    assert found("README.md", source) == []


def test_scripts_are_recognised_by_their_first_line() -> None:
    assert found("scripts/a", "#!/usr/bin/env bash\n# nobody\n") == [(2, "nobody")]
    assert found("scripts/b", "#!/usr/bin/env python3\n# nobody\n") == [(2, "nobody")]
    assert found("tests/data.txt", "# nobody\n") == []


def test_figures_are_per_thousand_comment_lines() -> None:
    tally = check.Tally()
    tally.add("native/a.rs", "// nobody\n// else\n\nfn f() {}\n// here\n// too\n")
    tally.add("tests/a.py", "# fine\n# fine\n# fine\n# fine\n")
    assert tally.figure("native") == 250.0
    assert tally.figure("tests") == 0.0
    assert tally.figure() == 125.0


def test_a_file_that_does_not_parse_is_left_out() -> None:
    assert found("tests/broken.py", "def\n# nobody\n") == []
