"""Behaviour that has no counterpart in bash: rt's own messages and statuses, unsupported syntax, and hostile texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_shell import run

MESSAGES = [
    ("nosuchcmd-zz", "rt: command not found: nosuchcmd-zz\n", 1),
    ("echo *.nomatch", "rt: no matches found: *.nomatch\n", 1),
    ("cd nosuch", "cd: not a directory: nosuch\n", 1),
    ("cd a b", "cd: too many arguments\n", 1),
    ("exit abc", "exit: numeric argument required\n", 1),
    ("ls nosuch", "ls: nosuch: No such file or directory\n", 1),
    ("cat nosuch", "cat: nosuch: No such file or directory\n", 1),
    ("rm nosuch", "rm: nosuch: No such file or directory\n", 1),
    ("mkdir d; rm d", "rm: d: Is a directory\n", 1),
    ("cat < nosuch", "rt: No such file or directory: nosuch\n", 1),
    ("mkdir d; echo > d", "rt: Is a directory: d\n", 1),
    ("touch f; ./f", "rt: permission denied: ./f\n", 126),
    ("mkdir d; ./d", "rt: ./d: Is a directory\n", 126),
    ("set -u; echo $nope", "rt: nope: unbound variable\n", 1),
    ("f() { f; }; f", "rt: f: maximum function nesting level exceeded (1000)\n", 1),
    ("f='eval \"$f\"'; eval \"$f\"", "rt: commands in commands are nested too deep (500)\n", 1),
    ("echo {1..100000000}", "rt: braces make more than 200000 words\n", 1),
    ("echo " + "{a,b}" * 40, "rt: braces make more than 200000 words\n", 1),
    ("x=x; ((x))", "rt: expression nested too deep\n", 1),
    ("echo a >&7", "rt: 7: Bad file descriptor\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "status"), MESSAGES, ids=[case[0][:40] for case in MESSAGES])
def test_messages(tmp_path: Path, text: str, message: str, status: int) -> None:
    ran = run(text, tmp_path)
    assert (ran.out, ran.err, ran.status) == ("", message, status)


STATUSES = [
    ("$(false)", 1),
    ("$UNSET $(exit 5)", 5),
    ("$(exit 5) $(true)", 0),
    ("false; $UNSET", 0),
    ("x=a $(exit 3)", 3),
]


@pytest.mark.parametrize(("text", "status"), STATUSES, ids=[case[0] for case in STATUSES])
def test_words_that_expand_to_nothing_have_the_status_of_their_last_substitution(
    tmp_path: Path, text: str, status: int
) -> None:
    assert run(text, tmp_path).status == status


def test_options_that_coreutils_lacks(tmp_path: Path) -> None:
    assert run("seq -s , -t x 3; seq -t . 2", tmp_path).out == "1,2,3,x1\n2\n."
    assert run("yes '' | head -n 2", tmp_path).out == "\n\n"


@pytest.mark.parametrize("target", ["/", "//", "/.", '"$UNSET/"', "~", "~/", "$HOME/../someone", "/home", "..", "."])
@pytest.mark.parametrize("command", ["rm -rf", "rm -r"])
def test_rm_rejects_invalid_arguments(tmp_path: Path, command: str, target: str) -> None:
    home = tmp_path / "someone"
    (home / "kept").mkdir(parents=True)
    inside = home / "kept"
    target = target.replace("/home", str(tmp_path))
    ran = run(f"{command} {target}", inside, HOME=str(home))
    assert ran.status == 1
    assert "may not be removed" in ran.err
    assert inside.is_dir()


def test_a_pattern_matches_in_bounded_time(tmp_path: Path) -> None:
    text = f"x={'a' * 5000}; case $x in {'*a' * 500}b) echo y;; *) echo n;; esac; y=${{x//a*b/c}}; echo ${{#y}} ${{#x}}"
    assert run(text, tmp_path).out == "n\n5000 5000\n"
    assert run(f"[[ {'a' * 30}b =~ (a+)+$ ]]; echo $?", tmp_path).out == "1\n"


def test_invalid_utf_8(tmp_path: Path) -> None:
    text = "x=$'\\xff'; echo a > f$x; ls; echo ${#x} ${x/$x/ok}; cat f*"
    assert run(text, tmp_path).out == "f\udcff\n1 ok\na\n"


def test_a_stream_is_not_held(tmp_path: Path) -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ran = run("yes | head -c 200000000 | cat | tr y z | wc -c", tmp_path)
    assert ran.out == "200000000\n"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes


def test_a_closed_reader_ends_its_writer(tmp_path: Path) -> None:
    assert run("set -o pipefail; yes | head -n 1; echo $?", tmp_path).out == "y\n141\n"
    assert run("while true; do echo x; done | head -n 2; (yes; echo no) | head -n 1", tmp_path).out == "x\nx\ny\n"


def test_double_star_goes_through_all_folders(tmp_path: Path) -> None:
    for name in ("a/b/c.js", "a/d.js", "e.js", ".hidden/f.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert run("echo **/*.js; echo a/**", tmp_path).out == "a/b/c.js a/d.js e.js\na/ a/b a/b/c.js a/d.js\n"


def test_unknown_options_run_the_system_command(tmp_path: Path) -> None:
    assert run("printf '2\\n10\\n' | sort -R -s", tmp_path).status == 0
    assert "illegal option -- R" in run("sort -R < /dev/null", tmp_path, PATH="/nonexistent").err


def test_matches_of_a_condition(tmp_path: Path) -> None:
    assert (
        run('[[ v1.25 =~ ^v([0-9]+)\\.([0-9]+)$ ]] && echo "${BASH_REMATCH[1]}-${BASH_REMATCH[2]}"', tmp_path).out
        == "1-25\n"
    )
