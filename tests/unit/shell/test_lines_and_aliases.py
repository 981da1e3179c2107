"""`$LINENO`, aliases, limits and loops: what bash 5.2 prints."""

from __future__ import annotations

import resource
import shlex
from pathlib import Path

import pytest
from in_shell import run

from rt_supervisor.shell.parser import parse
from rt_supervisor.shell.tree import Simple

LINES = [
    ("echo $LINENO\necho a\necho $LINENO; echo $LINENO", "1\na\n3\n3\n"),
    ("f() {\n  echo in $LINENO\n}\necho out $LINENO\nf\nf", "out 4\nin 2\nin 2\n"),
    ('echo "a\nb $LINENO"\necho $LINENO', "a\nb 2\n3\n"),
    ("echo a \\\n $LINENO \\\n $LINENO\necho $LINENO", "a 1 1\n4\n"),
    ("echo \\\n$LINENO", "2\n"),
    ("true\nx=$(echo $LINENO); echo $x\ny=`echo $LINENO`; echo $y", "2\n3\n"),
    ("(\necho $LINENO\n)\n{ echo $LINENO\n}", "2\n4\n"),
    ("eval 'echo $LINENO\necho $LINENO'\necho $LINENO", "2\n3\n3\n"),
    ("printf 'echo $LINENO\\necho $LINENO\\n' > s.sh; . ./s.sh\necho $LINENO", "1\n2\n2\n"),
    ("for i in 1 2; do\n echo $LINENO\ndone\nif [ $LINENO = 4 ]; then echo yes; fi", "2\n2\nyes\n"),
    ("for i in a $LINENO; do echo $i; done\ncase $LINENO in 2) echo two;; esac", "a\n1\ntwo\n"),
    ("[[ $LINENO = 1 ]] && echo one\n(( LINENO == 2 )) && echo two\necho $((LINENO+1))", "one\ntwo\n4\n"),
    ("for ((i=LINENO; i<3; i++)); do\n echo $i $LINENO; done", "1 2\n2 2\n"),
    ("cat <<X\n$LINENO\n$LINENO\nX\necho $LINENO", "1\n1\n5\n"),
    ("trap 'echo err $LINENO' ERR\ntrue\nfalse", "err 3\n"),
    ("true\ntrap 'echo exit $LINENO' EXIT\ntrue", "exit 1\n"),
    ("f() { local LINENO=x; echo $LINENO; }\nf; echo $LINENO", "x\n2\n"),
]
ALIASES = [  # within `eval`, whose first line has the number of its last one
    ("alias ll='echo long'\nll a; ll b", "long a\nlong b\n"),
    ("alias ll='echo long '\nalias b='x y'\nll b b", "long x y b\n"),
    ("alias a='b c' d=\"it's\"\nalias; alias a", "alias a='b c'\nalias d='it'\\''s'\nalias a='b c'\n"),
    ("alias a=b; alias zz; echo $?; unalias zz; echo $?; unalias; echo $?; unalias -a; alias", "1\n1\n2\n"),
    ("alias a='echo 1; echo 2'\na | cat\n! a\necho $?", "1\n2\n1\n2\n0\n"),
    ("alias go='if true; then'\neval 'go echo yes; fi'", "yes\n"),
    ("alias echo='echo pre'\necho x\n\\echo y\n'echo' z", "pre x\ny\nz\n"),
    ("alias x='echo x'\nf() { x in f; }\nunalias x\nf", "x in f\n"),
    ("alias e='echo $LINENO'\ne\ne; e", "6\n7\n7\n"),
    ("alias ls='ls -d'\nls .\ncommand -v ls; type ls; type -t ls", ".\nalias ls='ls -d'\nls is aliased to `ls -d'\nalias\n"),
    ("printf 'alias q=\"echo q\"\\nq 1\\n' > aliases\n. ./aliases\nq 2\n(q 3)\necho $(q 4) `q 5`", "q 1\nq 2\nq 3\nq 4 q 5\n"),
    ("alias sudo='env ' l='echo l'\nsudo l", "l\n"),
    ("alias e='echo '\nx=\"$(e a) tail $(e b)\" y=${z:-$(e c)d}; echo \"$x\" $y", "a tail b cd\n"),
    ("alias e='echo '\n[[ $(e a) = a ]] && e yes; e $(( $(e 3) + 4 ))\ncat <<X\n$(e doc)\nX", "yes\n7\ndoc\n"),
    ("alias e=echo\nif e c; then e t; fi; while e w; do e b; break; done; (e s); { e g; }; case x in x) e x;; esac", "c\nt\nw\nb\ns\ng\nx\n"),
    ("alias p='echo p'\nx=1 p 2 > out; cat out; (alias p='echo q'); p", "p 2\np\n"),
    ("alias 'a b=c' 2> /dev/null; echo $?; alias a-b='echo ab'\na-b", "1\nab\n"),
    ("shopt -u expand_aliases; alias echo='false'\necho off; shopt -p expand_aliases", "off\nshopt -u expand_aliases\n"),
]  # fmt: skip
LOOPS = [
    ("for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; echo $i$j; done; done", "1a\n2a\n3a\n"),
    ("for ((i=0;i<5;i++)); do [ $i = 2 ] && continue; [ $i = 4 ] && break; echo $i; done; echo $i", "0\n1\n3\n4\n"),
    ("i=0; while [ $i -lt 5 ]; do i=$((i+1)); [ $i = 2 ] && continue; echo $i; [ $i = 4 ] && break; done; echo $?", "1\n3\n4\n0\n"),
    ("i=0; until i=$((i+1)); [ $i -ge 3 ]; do echo $i; done; while break; do echo no; done; echo $?", "1\n2\n0\n"),
    ("while :; do while :; do break 2; done; echo no; done; echo done", "done\n"),
    ("for i in 1 2; do false; done; echo $?; for i in; do :; done; echo $?; while false; do :; done; echo $?", "1\n0\n0\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "out"), LINES + LOOPS)
def test_lines_and_loops(tmp_path: Path, text: str, out: str) -> None:
    assert run(text, tmp_path).out == out


@pytest.mark.parametrize(("text", "out"), ALIASES)
def test_aliases(tmp_path: Path, text: str, out: str) -> None:
    ran = run(f"eval {shlex.quote('shopt -s expand_aliases' + chr(10) + text)}", tmp_path)
    assert (ran.out, "not found" in ran.err) == (out, "zz" in text)


def test_aliases_wait_for_the_option_and_the_next_line(tmp_path: Path) -> None:
    assert "command not found: ll" in run("eval 'alias ll=true\nll'", tmp_path).err
    same_line = run("eval 'shopt -s expand_aliases; alias ll=true; ll\nll; echo $?'", tmp_path)
    assert (same_line.out, same_line.err) == ("0\n", "rt: command not found: ll\n")


def test_a_text_has_its_lines_without_being_run() -> None:
    second = parse("true\ntrue", first_line=7).items[1]
    assert isinstance(second, Simple)
    assert second.line == 8


def test_limits(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert run("ulimit -n; ulimit -Hn; ulimit -Sn", tmp_path).out == f"{soft}\n{hard}\n{soft}\n"
    text = "(ulimit -n 99; ulimit -n; sh -c 'ulimit -n'); x=$(ulimit -Sn98; ulimit -n); echo $x; ulimit -n"
    assert run(text, tmp_path).out == f"99\n99\n98\n{soft}\n"
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)
    listed = run("ulimit -a", tmp_path).out.splitlines()
    assert f"open files                          (-n) {soft}" in listed
    assert run("ulimit -c -n", tmp_path).out.splitlines()[1] == f"open files                          (-n) {soft}"
    assert run("ulimit -n soft && (ulimit -c 0; ulimit -c; ulimit -p)", tmp_path).out == "0\n8\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("ulimit -n many", "ulimit: many: invalid number\n"),
        ("ulimit -z", "ulimit: -z: invalid option\nulimit: usage: ulimit [-SHacdefilmnpqrstuvxR] [limit]\n"),
        ("ulimit -p 3", "ulimit: pipe size: cannot modify limit: Invalid argument\n"),
        ("ulimit -nc", "ulimit: c: invalid number\n"),
    ],
)
def test_limits_that_are_refused(tmp_path: Path, text: str, error: str) -> None:
    ran = run(text, tmp_path)
    assert ran.status in (1, 2)
    assert ran.err == error


def test_times(tmp_path: Path) -> None:
    assert run("times | sed 's/[0-9]//g'", tmp_path).out == "m.s m.s\nm.s m.s\n"
