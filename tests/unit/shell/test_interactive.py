"""The conversation: completion, and what is said without the library that edits lines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rt_supervisor.shell.interactive import completions, converse
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


@pytest.mark.parametrize("text", ["echo 'a", "if true", "echo a |", "cat <<E", "f() {", "echo $(", "a &&"])
def test_what_is_not_finished_goes_on(text: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse(text)
    assert caught.value.wants_more


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prompt_toolkit", None)
    with pytest.raises(Failed, match="rt shell needs the package prompt_toolkit") as caught:
        converse({})
    assert caught.value.failure.reason == "no-line-editor"
