"""`<( )`, `>( )` and `/dev/fd/N`: rt's shell prints the same as bash; unlike bash, it waits for readers."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from in_shell import run

AS_IN_BASH = [
    "cat <(echo hi)",
    "diff <(printf 'a\\nb\\n') <(printf 'a\\nc\\n'); echo $?",
    "while read l; do echo \"got $l\"; done < <(printf 'a\\nb\\n'); echo end",
    "n=0; while read l; do n=$((n+1)); done < <(printf 'a\\nb\\nc\\n'); echo $n",
    "f() { cat $1; }; f <(echo in a function)",
    "sort -m <(printf '1\\n3\\n') <(printf '2\\n4\\n')",
    "cat <(cat <(echo nested))",
    "head -1 <(yes)",
    'x=$(cat <(echo sub)); echo "[$x]"',
    "echo \"<(echo no)\" '<(no)' \\<\\(",
    "cat < <(echo file)",
    "bash -c 'cat $1' _ <(echo a program)",
    "cat <(exit 3); echo $?",
    "case <(true) in /dev/fd/*) echo yes;; esac",
    "echo a=<(true) 2<(true) | sed 's/[0-9][0-9]*//g'",
    "cat <(echo a; echo b) - < /dev/null",
    "source <(echo 'v=5'); echo $v",
    "read a b < <(echo 1 2); echo $b,$a",
    "exec cat <(echo replaced)",
    "cat <(\necho lines\n)",
    "cat < <(exec 3< a.txt; cat <&3)",
    "echo a | cat <(cat)",
    "wc -l < <(cat a.txt; cat a.txt) | tr -d ' '",
    "[ -e <(true) ]; echo $?",
    "echo hi | cp /dev/stdin o; cat o",
    "cp a.txt /dev/stdout",
    "echo x | { [ -p /dev/stdin ]; echo $?; }",
    ". /dev/stdin <<< 'echo sourced'",
    "exec 4<<< 'echo four'; . /dev/fd/4",
    "exec 7< a.txt; (cat /dev/fd/7); f() { cat /dev/fd/7; }; f | head -1",
    "cat - /dev/stdin < a.txt",
    "cat /dev/fd/7 2> o; echo $?",
    "echo a | tee /dev/fd/2 2> o; cat o",
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash to compare with")
@pytest.mark.parametrize("text", AS_IN_BASH)
def test_what_bash_prints(tmp_path: Path, text: str) -> None:
    for name in ("bash", "rt"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("one\ntwo\n")
    environment = {"PATH": os.environ["PATH"], "HOME": "/home/someone"}
    judge = subprocess.run(
        ["bash", "-c", text], cwd=tmp_path / "bash", env=environment, stdin=subprocess.DEVNULL, capture_output=True
    )
    ran = run(text, tmp_path / "rt")
    assert (ran.out, ran.err, ran.status) == (judge.stdout.decode(), judge.stderr.decode(), judge.returncode)


WAITED_FOR = [
    ("echo hi > >(cat); echo after", "hi\nafter\n"),
    ("printf 'a\\n' | tee >(sed s/a/b/ > o1) >(sed s/a/c/ > o2) > /dev/null; cat o1 o2", "b\nc\n"),
    ("exec > >(sed s/^/x:/); echo one; echo two", "x:one\nx:two\n"),
    ("(exec > >(sed s/^/x:/); echo one); echo two", "x:one\ntwo\n"),
    ("exec 3> >(cat); echo three >&3", "three\n"),
    ("for f in <(echo 1) <(echo 2); do cat $f; done", "1\n2\n"),
    ("echo x >> >(cat)", "x\n"),
]


@pytest.mark.parametrize(("text", "printed"), WAITED_FOR)
def test_reading_commands_are_awaited(tmp_path: Path, text: str, printed: str) -> None:
    ran = run(text, tmp_path)
    assert (ran.out, ran.err, ran.status) == (printed, "", 0)


@pytest.mark.parametrize("text", ["cat <(echo hi)", "true > >(cat)", "while read l; do :; done < <(echo a)", "f() { cat $1; }; f <(:)"])  # fmt: skip
def test_no_descriptor_is_left(tmp_path: Path, text: str) -> None:
    run(text, tmp_path)
    before = os.listdir("/proc/self/fd")
    run(text, tmp_path)
    assert set(os.listdir("/proc/self/fd")) <= set(before)


def test_an_unclosed_one_is_refused(tmp_path: Path) -> None:
    from rt_supervisor.shell.parser import parse
    from rt_supervisor.shell.tree import SyntaxProblem

    with pytest.raises(SyntaxProblem, match="Unclosed command substitution"):
        parse("cat <(echo")
