"""Builtins of the shell print the same as coreutils, findutils and grep; PATH contains no programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_shell import run

COMMANDS = [
    (r"printf 'a\tb\r\n\200' | cat -A", "a^Ib^M$\nM-^@"),
    (r"printf 'x' > x; printf 'a\n\n' | cat -n x -", "     1\txa\n     2\t\n"),
    (r"printf '\n\n\na\n' | cat -sE", "$\na$\n"),
    (r"printf 'a\tb\nccc\n' | wc -L", "9\n"),
    (r"printf 'one\ntwo\nthree\n' > f; tail +2 f; head -2c f; tail -2c f", "two\nthree\none\n".replace("one", "one"[:2] + "e")),
    (r"echo abcdef | cut -c1,3-4 --output-delimiter=-", "a-cd\n"),
    (r"echo a,b,c | cut -d, -f2 --complement", "a,c\n"),
    (r"printf 'a:b\0c:d\0' | cut -z -d: -f2 | tr '\0' ' '", "b d "),
    (r"printf '1.10\n1.9\n1.2~rc\n1.2\n' | sort -V", "1.2~rc\n1.2\n1.9\n1.10\n"),
    (r"printf '1e2\n5\nx\n-3\n' | sort -g", "x\n-3\n5\n1e2\n"),
    (r"sort -k 0 </dev/null; echo $?", "2\n"),
    (r"seq 9 | grep -1 5; printf 'o\n' > p; echo foo | grep -f p", "4\n5\n6\nfoo\n"),
    (r"printf 'a\0b\n' | grep a; echo $?; printf 'a\0b\n' | grep -c a; printf 'a\0\n' | grep -I a; echo $?", "0\n1\n1\n"),
    (r"echo x | grep -E '('; echo $?", "2\n"),
    (r"seq 3 | xargs -P2 -n1 false; echo $?; seq 4 | xargs -P2 -n2 echo | sort", "123\n1 2\n3 4\n"),
    (r"printf 'a\nEND\nb\n' | xargs -E END; printf 'x \n' | xargs -I{} echo '[{}]'", "a\n[x ]\n"),
    (r"echo a b c d e | xargs -s 12 echo", "a b c\nd e\n"),
    (r"date -u -d '2020-01-31 +1 month' +%F; date -u -d 'March 1, 2020 10pm' +%F_%T", "2020-03-02\n2020-03-01_22:00:00\n"),
    (r"date -u -d '2020-06-15T14:30:15.5+02:00' +%T.%N; date -u -d '2 days ago 2020-01-20' +%F", "12:30:15.500000000\n2020-01-18\n"),
    (r"TZ=Europe/Berlin date -d '2020-07-01 12:00' '+%s %z'; date -u --rfc-3339=seconds -d @0", "1593597600 +0200\n1970-01-01 00:00:00+00:00\n"),
    (r"date -d 'no day'; echo $?; touch -d 'no day' x; echo $?", "1\n1\n"),
    (r"touch -d '2020-01-01 00:00 UTC' x; date -u -r x +%s; TZ=UTC touch -t 199912312359.58 x; date -u -r x +%F_%T", "1577836800\n1999-12-31_23:59:58\n"),
    (r"mkdir -p a/b; touch a/f; ln -sr a/f up; realpath --relative-to=a up; ln -s -t a x; ls a", "f\nb\nf\nx\n"),
    (r"mkdir -m g+w d; ls -ld d | cut -c1-10; rmdir -v d", "drwxrwxrwx\nrmdir: removing directory, 'd'\n"),
    (r"printf '%b|%c|%(%Y)T\n' 'a\0101' '' 0 | tr '\0' 0", "aA|0|1970\n"),
    (r"x=$'\e'\'; echo ${x@Q}", "$'\\E\\''\n"),
    (r"printf 'a b\nc' > f; read -u 3 x 3< f; echo $x; read -N 5 y < f; echo $y", "a b\na b c\n"),
    (r"touch .h; echo .*; shopt -s nullglob dotglob; echo *.none; echo *", ".h\n\n.h\n"),
    (r"true | false | (exit 3); echo ${PIPESTATUS[@]} ${#PIPESTATUS[@]}; [[ ab =~ (a)(b) ]]; echo ${#BASH_REMATCH[@]}", "0 1 3 3\n3\n"),
    (r"f() { echo $FUNCNAME; false; }; trap 'echo trapped $?' ERR; f; false || true; (exit 4); echo end", "f\ntrapped 1\ntrapped 4\nend\n"),
    (r"f() { echo $1; }; f PREFIX=~/x; f --p=~/x", "PREFIX=/home/someone/x\n--p=~/x\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "out"), COMMANDS, ids=[case[0][:60] for case in COMMANDS])
def test_commands(tmp_path: Path, text: str, out: str) -> None:
    assert run(text, tmp_path, PATH="/nonexistent").out == out


@pytest.mark.parametrize("text", ["cat f >> f", "cat f x >> f", "cat < f >> f", "cat x - < f >> f"])
def test_cat_does_not_read_what_it_writes(tmp_path: Path, text: str) -> None:
    (tmp_path / "f").write_text("f\n")
    (tmp_path / "x").write_text("x\n")
    ran = run(text, tmp_path)
    assert ran.status == 1
    assert "input file is output file" in ran.err
    assert (tmp_path / "f").read_text() == ("f\nx\n" if "x" in text else "f\n")


@pytest.mark.parametrize("text", ["ln -f f f", "ln -sf f f", "ln -sf f ./f"])
def test_ln_does_not_replace_a_file_by_itself(tmp_path: Path, text: str) -> None:
    (tmp_path / "f").write_text("precious\n")
    ran = run(text, tmp_path)
    assert ran.status == 1
    assert "are the same file" in ran.err
    assert (tmp_path / "f").read_text() == "precious\n"
