"""Syntax errors of the shell: message and place; no text makes the parser fail in another way."""

from __future__ import annotations

import sys

import pytest
from in_shell import run  # noqa: F401 - sets the recursion limit before hypothesis looks at it

from rt_supervisor.shell.explain import explain
from rt_supervisor.shell.parser import ENOUGH_FRAMES, NO_BACKGROUND, parse
from rt_supervisor.shell.places import pointed_at
from rt_supervisor.shell.tree import SyntaxProblem

PROBLEMS = [
    ("echo a )", "Unexpected ')'", 7),
    ("(echo a", "Unclosed subshell", 0),
    ("echo $(echo a", "Unclosed command substitution", 5),
    ("echo `echo a", "Unclosed command substitution", 5),
    ("echo 'abc", "Unclosed single quote", 5),
    ('echo "abc', "Unclosed double quote", 5),
    ("echo ${x", 'Unclosed "${"', 5),
    ("echo a |", "Unexpected EOF", 8),
    ("echo a &&", "expected a command or assignment", 9),
    ("| echo", 'expected a command or assignment but got: "Pipe"', 0),
    ("echo >", "Redirection with no file", 5),
    ("sleep 1 & echo", NO_BACKGROUND, 8),
    ("echo a; ; echo b", "Unexpected ';'", 8),
    ("if true; then echo a", 'Expected "else", "elif", or "fi" but got: Eof', 20),
    ("while true; do echo", 'Expected "done" but got: Eof', 19),
    ("for 1x in a; do :; done", 'Expected the name of a variable after "for"', 4),
    ("case a in a) echo", 'Expected ";;" or "esac" but got: Eof', 17),
    ("[[ a", "Expected a conditional expression operator, but got: EOF", 4),
    ("[[ -f ]]", "Expected a word, but got: ]]", 6),
    ("[[ ( -n ) ]]", "Expected a word, but got: )", 8),
    ("[[ -e && a ]]", "Expected a word, but got: &&", 6),
    ("[[ a == ]]", "Expected a word, but got: ]]", 8),
    ("cat <<END\nx\n", 'Unclosed here-document: no line is "END"', 4),
    ("x=(1 2", 'Unclosed "("', 2),
    ("fi", 'Unexpected "fi"', 0),
]


@pytest.mark.parametrize(("text", "message", "at"), PROBLEMS, ids=[case[0] for case in PROBLEMS])
def test_problems(text: str, message: str, at: int) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse(text)
    assert (caught.value.message, caught.value.at) == (message, at)


OPENERS = [
    "(",
    "$(",
    "{ ",
    "if ",
    "while ",
    "${x:-",
    '"$(',
    "[[ ( ",
    "$((",
    "f() { ",
    "case a in a) ",
    "for x in a; do ",
]


@pytest.mark.parametrize("opener", OPENERS)
def test_ten_thousand_levels_are_a_clear_error(opener: str) -> None:
    with pytest.raises(SyntaxProblem):
        parse(opener * 10_000)
    assert sys.getrecursionlimit() <= ENOUGH_FRAMES


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "echo " + "$x" * 300_000, "'" * 1_000_001, "{" * 1_000_000, "\\" * 1_000_000]
)
def test_a_megabyte(text: str) -> None:
    try:
        parse(text)
    except SyntaxProblem as problem:
        assert problem.message


def test_a_problem_points_at_its_column() -> None:
    assert pointed_at("echo a\necho b )", 14) == "line 2, column 8\n    echo b )\n           ^"


def test_explained() -> None:
    text = explain(parse('A=1 echo "x $y" *.js | cat > f && (b)'))
    assert text.splitlines() == [
        "list:",
        "  pipeline:",
        "    command:",
        "      A =",
        "        word 1",
        "      word echo",
        "      word at column 10:",
        "        text 'x ' (quoted)",
        "        variable y",
        "      word *.js  (pattern)",
        "    |",
        "    command:",
        "      word cat",
        "      redirect >",
        "        word f",
        "  &&  (if that succeeds)",
        "  subshell:",
        "    command:",
        "      word b",
    ]
