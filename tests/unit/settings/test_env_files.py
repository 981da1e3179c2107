""".env files: the grammar as in Bun, expansion, order, and variables that such a file may not set."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rt_supervisor.settings import env_files
from rt_supervisor.vocabulary.errors import Failed

SHELL = {"SHELLV": "sh"}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("A=1", {"A": "1"}),
        (" A = 1", {"A": "1"}),
        ("A=1 # c", {"A": "1"}),
        ("A=1#c", {"A": "1"}),
        ("A='x # y' # c", {"A": "x # y"}),
        ('A="x # y" # c', {"A": "x # y"}),
        ("A=`x \"'` # c", {"A": "x \"'"}),
        ("export A=1", {"A": "1"}),
        ("export\tA=1", {"A": "1"}),
        ("export = bar\nexport A = 1", {"export": "bar", "A": "1"}),
        ("exportA=1", {"exportA": "1"}),
        ("export\nA=1", {"A": "1"}),
        ("A", {}),
        ("A=", {"A": ""}),
        ("A=''", {"A": ""}),
        ("=1", {}),
        ("A:1", {}),
        ("A: 1", {"A": "1"}),
        (" A : 2", {"A": "2"}),
        ("#A=1", {}),
        ("A='a\nb'\nB=2", {"A": "a\nb", "B": "2"}),
        ('A="a\nb"\nB=2', {"A": "a\nb", "B": "2"}),
        ("A=`a\nb`\nB=2", {"A": "a\nb", "B": "2"}),
        ('A="a\\nb\\tc\\\\d\\"e"', {"A": 'a\nb\\tc\\\\d\\"e'}),
        ('A="\\\\n"', {"A": "\\\\n"}),
        ("A='a\\nb'", {"A": "a\\nb"}),
        ("A=a\\nb", {"A": "a\\nb"}),
        ('A="unterminated\nB=2', {"A": '"unterminated', "B": "2"}),
        ("A='unterminated\nB=2", {"A": "'unterminated", "B": "2"}),
        ('A="x\\', {"A": '"x\\'}),
        ("A=x y z  ", {"A": "x y z"}),
        ("A=a=b", {"A": "a=b"}),
        ("A==x", {"A": "=x"}),
        ("A=a'b'c", {"A": "a'b'c"}),
        ('A="a"b', {"A": "a"}),
        ("A='\\''x'", {"A": "\\'"}),
        ("A.B=1\nA-B=2\n1A=3", {"A.B": "1", "A-B": "2", "1A": "3"}),
        ("A=1\nA=2", {"A": "2"}),
        ("A B=1\nA=3", {"A": "3"}),
        ("A=1;B=2", {"A": "1;B=2"}),
        ("A=1\r\nB=2\r\n", {"A": "1", "B": "2"}),
        ("A=1\rB=2", {"A": "1", "B": "2"}),
        ('X="a\r\nb"\r\nY=1', {"X": "a\nb", "Y": "1"}),
        ("\ufeffA=1", {"A": "1"}),
        ("A=\t1\t", {"A": "1"}),
        ("A=#c", {"A": ""}),
        ('A=""#c', {"A": ""}),
        ("A=\nB=2", {"A": "", "B": "2"}),
        ("A=é日本", {"A": "é日本"}),
        ("A=1\\\n2", {"A": "1\\"}),
    ],
)
def test_grammar(text: str, values: dict[str, str]) -> None:
    assert env_files.parse(text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("A=$B\nB=1", {"A": "1", "B": "1"}),
        ("B=1\nA=${B}x", {"A": "1x", "B": "1"}),
        ("B=1\nA=$Bx", {"A": "", "B": "1"}),
        ("B=1\nA='$B'", {"A": "1", "B": "1"}),
        ("B=1\nA=`$B`", {"A": "1", "B": "1"}),
        ("B=1\nA=\\$B", {"A": "$B", "B": "1"}),
        ('B=1\nA="\\$B"', {"A": "$B", "B": "1"}),
        ("B=1\nA=\\\\$B", {"A": "\\$B", "B": "1"}),
        ("A=${NO:-d e}", {"A": "d e"}),
        ("A=${NO:-}", {"A": ""}),
        ("A=${NO-d}", {"A": "${NO-d}"}),
        ("A=${NO}", {"A": ""}),
        ("A=$NO", {"A": ""}),
        ("A=${NO", {"A": "${NO"}),
        ("A=${NO:-x", {"A": "${NO:-x"}),
        ("A=$", {"A": "$"}),
        ("A=$$", {"A": "$$"}),
        ("A=$1", {"A": ""}),
        ("A=a$b$", {"A": "a$"}),
        ("A=${}", {"A": ""}),
        ("A=${:-x}", {"A": "x"}),
        ("B=\nA=${B:-d}", {"A": "", "B": ""}),
        ("A=${SHELLV}", {"A": "sh"}),
        ("A=$(echo hi)", {"A": "$(echo hi)"}),
        ("A=`echo hi`", {"A": "echo hi"}),
        ("B=1\nA=${NO:-$B}", {"A": "1", "B": "1"}),
        ("B=1\nA=${NO:-${B}}", {"A": "1", "B": "1"}),
        ("A=${NO:-a}b}", {"A": "ab}"}),
        ("A=${NO:-{x}}", {"A": "{x}"}),
        ("A=${ B }", {"A": "${ B }"}),
        ("A=${A}", {"A": "${A}"}),
        ("B=$C\nC=3\nA=$B", {"A": "3", "B": "3", "C": "3"}),
        ("B=v\nA=$B-$B.$B/$B", {"A": "v-v.v/v", "B": "v"}),
        ("SHELLV=file\nA=$SHELLV", {"A": "sh"}),
        ("B=1\nA=${B:-x}y", {"A": "1y", "B": "1"}),
        ("A=${B:-${C:-x}y}z", {"A": "xyz"}),
    ],
)
def test_expansion(text: str, values: dict[str, str]) -> None:
    assert env_files.expand(env_files.parse(text), SHELL) == values


def test_references_in_a_circle_end() -> None:
    values = env_files.expand({"A": "${B}", "B": "${A}"}, {})
    assert values["A"] == "${A}"
    assert set(values) == {"A", "B"}


def test_expansion_cannot_grow_without_end() -> None:
    bomb = {"A0": "x" * 1000} | {f"A{n}": f"$A{n - 1}" * 10 for n in range(1, 30)}
    with pytest.raises(Failed, match="grows without end"):
        env_files.expand(bomb, {})
    with pytest.raises(Failed, match="too many others"):
        env_files.expand({f"A{n}": f"$A{n + 1}" for n in range(5000)}, {})


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / ("." + name.replace("_", "."))).write_text(text)


def test_default_files_low_to_high(tmp_path: Path) -> None:
    write(
        tmp_path,
        env="A=env\nB=env\nC=env\nD=env",
        env_development="B=dev\nC=dev\nD=dev",
        env_local="C=local\nD=local",
        env_development_local="D=devlocal",
    )
    assert env_files.load_default(str(tmp_path), {}).values == {"A": "env", "B": "dev", "C": "local", "D": "devlocal"}


@pytest.mark.parametrize(("mode", "value"), [("production", "prod"), ("test", "test"), ("other", "dev"), ("", "dev")])
def test_node_env_selects(tmp_path: Path, mode: str, value: str) -> None:
    write(tmp_path, env="V=env", env_development="V=dev", env_production="V=prod", env_test="V=test")
    assert env_files.load_default(str(tmp_path), {"NODE_ENV": mode}).values == {"V": value}


def test_local_is_skipped_under_test(tmp_path: Path) -> None:
    write(tmp_path, env="V=env", env_local="V=local")
    assert env_files.load_default(str(tmp_path), {"NODE_ENV": "test"}).values == {"V": "env"}
    assert env_files.load_default(str(tmp_path), {"NODE_ENV": "production"}).values == {"V": "local"}


def test_a_higher_file_may_refer_to_a_lower_one(tmp_path: Path) -> None:
    write(tmp_path, env="HOST=a\nURL=http://$HOST", env_local="HOST=b")
    assert env_files.load_default(str(tmp_path), {}).values == {"HOST": "b", "URL": "http://b"}


def test_the_process_environment_wins_even_when_empty(tmp_path: Path) -> None:
    write(tmp_path, env="V=env\nW=$V")
    assert env_files.load_default(str(tmp_path), {"V": ""}).values == {"W": ""}


def test_default_files_cannot_set_what_changes_how_programs_start(tmp_path: Path) -> None:
    write(tmp_path, env="LD_PRELOAD=x\nPATH=x\nNODE_OPTIONS=x\nOK=1", env_local="BASH_ENV=x\nRT_X=1\nBUN_INSPECT=0")
    loaded = env_files.load_default(str(tmp_path), {})
    assert loaded.values == {"OK": "1"}
    (warning,) = loaded.warnings
    assert warning.startswith("LD_PRELOAD (.env), PATH (.env), NODE_OPTIONS (.env), BASH_ENV (.env.local), RT_X")


def test_a_named_file_may(tmp_path: Path) -> None:
    (tmp_path / "my.env").write_text("NODE_OPTIONS=x")
    assert env_files.load_named(["my.env"], str(tmp_path), {}).values == {"NODE_OPTIONS": "x"}


def test_named_files_in_order(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("A=1\nC=one")
    (tmp_path / "b").write_text("A=2\nB=$C")
    expected = {"A": "2", "B": "one", "C": "one"}
    assert env_files.load_named(["a", "b"], str(tmp_path), {}).values == expected
    assert env_files.load_named(["a,b"], str(tmp_path), {}).values == expected
    assert env_files.load_named([str(tmp_path / "b"), "a"], str(tmp_path), {}).values["A"] == "1"


def test_named_files_that_cannot_be_read_are_warned_about(tmp_path: Path) -> None:
    loaded = env_files.load_named(["missing", "."], str(tmp_path), {})
    assert loaded.values == {}
    assert loaded.warnings[0] == '--env-file "missing" was not found'
    assert loaded.warnings[1].startswith('--env-file "." was not read: ')


def test_a_fifo_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".env")
    assert env_files.load_default(str(tmp_path), {}).values == {}


def test_invalid_utf_8(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff\0\nB=2")
    assert env_files.load_default(str(tmp_path), {}).values == {"A": "\ufffd", "B": "2"}


@given(st.text(alphabet="AB=$\\{}:-'\"`#\n\r \texport", max_size=60))
def test_any_text_is_read(text: str) -> None:
    values = env_files.expand(env_files.parse(text), {"E": "x"})
    assert all(isinstance(value, str) for value in values.values())
