"""Commands that never wait: in pipelines and `$( )` they behave the same without a thread and a pipe."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from in_shell import run

from rt_supervisor.shell import stages, substitution


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("a thread was started")

    for module in (stages, substitution):
        monkeypatch.setattr(module._thread, "start_new_thread", refused)


@pytest.mark.usefixtures("no_threads")
@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("echo a | cat", "a\n"),
        ("cat f g | cat", "one\ntwo\n"),
        ("echo $(basename /a/b.c .c) `dirname /a/b`", "b /a\n"),
        ("printf %s\\\\n a b | sort -r", "b\na\n"),
        ("false | true; echo $? ${PIPESTATUS[0]}", "0 1\n"),
        ("x=$(false); echo $?; x=$(printf 'a\\n\\n'); echo \"[$x]\"", "1\n[a]\n"),
        ("x=1; echo ${y:=2} $((x += 1)) ${x%.c} | cat; echo $x$y", "2 2 2\n1\n"),
        ("echo a | echo b | cat", "b\n"),
        ("echo $(cat f)$(cat g)", "onetwo\n"),
    ],
)
def test_no_thread_is_started(tmp_path: Path, text: str, out: str) -> None:
    (tmp_path / "f").write_text("one\n")
    (tmp_path / "g").write_text("two\n")
    assert run(text, tmp_path) == (out, "", 0)


@pytest.mark.parametrize(
    ("text", "out", "err"),
    [
        ("printf '%70000s\\n' x | wc -c", "70001\n", ""),
        ("x=$(printf '%70000s' x); echo ${#x}", "70000\n", ""),
        ("echo a >&2 | cat; echo $(echo b >&2)", "\n", "a\nb\n"),
        ("cat missing |& cat", "cat: missing: No such file or directory\n", ""),
        ("type missing |& cat", "type: missing: not found\n", ""),
        ("echo() { printf 'mine\\n'; }; echo a | cat; printf '%s\\n' $(echo b)", "mine\nmine\n", ""),
        ("echo ${x:?not there} | cat; printf '%s\\n' after", "after\n", "rt: x: not there\n"),
        ("dirname --zero /a/b | tr '\\0' x; printf '%s\\n' $(basename --suffix=.c b.c)", "/axb\n", ""),
        ("x=$(cat big); echo ${#x}; cat big | wc -c", "100000\n100000\n", ""),
        ('cat /proc/self/stat | wc -l; x=$(cat /proc/self/stat); test -n "$x" && echo some', "1\nsome\n", ""),
        ("set -x; echo a | cat", "a\n", "+ echo a\n+ cat\n"),
    ],
)
def test_longer_commands_behave_the_same(tmp_path: Path, text: str, out: str, err: str) -> None:
    (tmp_path / "big").write_text("x" * 100_000)
    ran = run(text, tmp_path)
    assert (ran.out, "".join(sorted(ran.err.splitlines(keepends=True)))) == (out, "".join(sorted(err.splitlines(True))))


def test_descriptors_are_closed(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    run(
        "for i in 1 2 3; do echo a | cat; x=$(echo b); printf '%70000s' c | cat; dirname --zero / | cat; done", tmp_path
    )
    assert os.listdir("/proc/self/fd") == before
