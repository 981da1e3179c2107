"""The conversation: completion, and the message without the library that edits lines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rt_supervisor.shell.completing import certain_rest, completions
from rt_supervisor.shell.interactive import converse
from rt_supervisor.shell.parser import parse
from rt_supervisor.shell.state import State
from rt_supervisor.shell.tree import SyntaxProblem
from rt_supervisor.vocabulary.errors import Failed


def test_completions(tmp_path: Path) -> None:
    (tmp_path / "with space.txt").touch()
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.ts").touch()
    state = State(environment={"PATH": "/nonexistent", "LONG_NAME": "1"}, folder=str(tmp_path), name="rt", arguments=())
    assert list(completions("ba", state)) == [("basename", -2)]
    assert list(completions("cat s", state)) == [("src/", -1)]
    assert list(completions("cat src/", state)) == [("src/main.ts", -4)]
    assert list(completions("cat w", state)) == [("with\\ space.txt", -1)]
    assert list(completions("echo $LONG", state)) == [("$LONG_NAME", -5)]
    assert ("pwd", -2) in list(completions("true && pw", state))


@pytest.mark.parametrize(
    ("before", "completed"),
    [
        ("cat my\\ f", "cat my\\ file.txt"),
        ("cat 'my f", "cat 'my file.txt'"),
        ('cat "my f', 'cat "my file.txt"'),
        ('cat "it', 'cat "it\'s \\$5"'),
        ("cat it", "cat it\\'s\\ \\$5"),
        ("cat 'my d", "cat 'my dir/"),
        ("cd my", "cd my\\ dir/"),
        ("pushd ", "pushd my\\ dir/"),
        ("cat my\\ dir/i", "cat my\\ dir/in.js"),
        ("X='a b'; base", "X='a b'; basename"),
    ],
)
def test_completions_are_written_as_the_word_was_begun(tmp_path: Path, before: str, completed: str) -> None:
    for name in ("my file.txt", "it's $5"):
        (tmp_path / name).touch()
    (tmp_path / "my dir").mkdir()
    (tmp_path / "my dir/in.js").touch()
    state = State(environment={"PATH": "/nonexistent"}, folder=str(tmp_path), name="rt", arguments=())
    assert [before[: len(before) + start] + text for text, start in completions(before, state)] == [completed]


def test_the_common_continuation_of_all_completions() -> None:
    assert certain_rest("cat b", [("basename", -1), ("bash", -1)]) == "as"
    assert certain_rest("cat b", [("b", -1), ("ba", -1)]) == ""
    assert certain_rest("cat b", [("base", -1)]) == "ase"
    assert certain_rest("cat 'a'b", [("ab\\ c", -4)]) == ""
    assert certain_rest("cat b", []) == ""


@pytest.mark.parametrize("text", ["echo 'a", "if true", "echo a |", "cat <<E", "f() {", "echo $(", "a &&"])
def test_incomplete_input_continues(text: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse(text)
    assert caught.value.wants_more


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    with pytest.raises(Failed, match="rt shell needs the package prompt_toolkit") as caught:
        converse({})
    assert caught.value.failure.reason == "no-line-editor"
