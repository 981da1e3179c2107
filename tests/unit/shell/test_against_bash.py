"""The differential test: generated lines of the common subset have the same effect in rt's shell and in bash.

Both run each line in equal folders; stdout, exit status and the contents of the folder afterwards must agree. A run tests
2,000 lines, which stay the same while the code does (hypothesis uses constants of the imported modules);
`RT_SHELL_EXAMPLES=2000 RT_SHELL_RANDOM=1` tests 20,000 others. Intended differences (docs/shell.md) are not generated.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from in_shell import Ran, run

LINES_TOGETHER = 10
PARTS = 4
EXAMPLES = int(os.environ.get("RT_SHELL_EXAMPLES", "100")) // PARTS
FILES = {
    "a.txt": "one\ntwo\nthree\n",
    "b.txt": "x y\nz\n",
    "n.txt": "10\n9\n2\n9\n",
    "dir/f.js": "f\n",
    "dir/sub/g.js": "g\n",
}

names = st.sampled_from(["x", "y", "z", "long_name"])
plain = st.sampled_from(["a", "b", "foo", "bar", "1", "2", "10", "a.b", "x-y", "/", "a/b", "é", "=", "-"])
quoted = st.sampled_from(
    [
        "'a b'",
        '"a  b"',
        "''",
        '""',
        "'$x'",
        '"$x"',
        '"${x}y"',
        "a\\ b",
        "\\$x",
        '"\\$"',
        "$'a\\tb'",
        '"a\'b"',
        "'a\"b'",
        "\\*",
        '"*"',
    ]
)
numbers = st.sampled_from(["0", "1", "2", "3", "7", "x", "$x", "(1+2)", "-1"])
arithmetic = st.builds(
    lambda a, op, b: f"{a} {op} {b}",
    numbers,
    st.sampled_from(["+", "-", "*", "<", "==", "&&", "|", "%7+", "**2+", "<<", ", "]),
    numbers,
)
patterns = st.sampled_from(["a", "*", "?", "a*", "*o", "[a-f]", "[!a]*", "*.*", "o", "''", '"*"', "b?r"])
parameters = st.one_of(
    st.builds(lambda n: f"${n}", names),
    st.builds(lambda n: f'"${n}"', names),
    st.builds(lambda n: f"${{#{n}}}", names),
    st.builds(lambda n, op, p: f"${{{n}{op}{p}}}", names, st.sampled_from(["#", "##", "%", "%%"]), patterns),
    st.builds(lambda n, op, p: f'"${{{n}{op}{p}}}"', names, st.sampled_from(["#", "##", "%", "%%"]), patterns),
    st.builds(
        lambda n, op, p: f"${{{n}{op}{p}/R}}",
        names,
        st.sampled_from(["/", "//", "/#", "/%"]),
        st.sampled_from(["a", "o*", "?", "[a-f]"]),
    ),
    st.builds(
        lambda n, op, w: f"${{{n}{op}{w}}}",
        names,
        st.sampled_from([":-", "-", ":=", ":+", "+"]),
        st.one_of(plain, quoted),
    ),
    st.builds(lambda n, op, w: f'"${{{n}{op}{w}}}"', names, st.sampled_from([":-", "-", ":+", "+"]), plain),
    st.builds(
        lambda n, a, b: f"${{{n}:{a}:{b}}}", names, st.sampled_from(["0", "1", " -2"]), st.sampled_from(["1", "2"])
    ),
    st.sampled_from(["$?", "$#", '"$@"', "$*", '"$*"', "${x^}", "${x^^}", "${x,,}"]),
)
braces = st.sampled_from(
    ["{a,b}", "x{1,2}y", "{1..4}", "{c..a}", "{a,b}{1,2}", "{01..03}", "{a}", "{}", "{a,{b,c}}", "{,z}", "{4..1..2}"]
)
globs = st.sampled_from(
    ["*.txt", "?.txt", "[ab].txt", "dir/*", "d*/*.js", "a.tx?", "[!a].txt", "~", "~/q", "nosuch?", "[q]x"]
)


def words(commands: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    substitutions = st.one_of(
        commands.map(lambda c: f"$( {c})"),
        commands.map(lambda c: f'"$( {c})"'),
        commands.filter(lambda c: "`" not in c and "\\" not in c and "\n" not in c).map(lambda c: f"`{c}`"),
    )
    single = st.one_of(plain, quoted, parameters, arithmetic.map(lambda a: f"$(({a}))"), braces, globs, substitutions)
    return st.one_of(
        single,
        single,
        st.builds(lambda a, b: a + b, st.one_of(plain, quoted, parameters), st.one_of(plain, quoted, parameters)),
    )


simple_sources = st.sampled_from(
    [
        "echo",
        "true",
        "false",
        "pwd | wc -l",
        "printf '%s\\n' a b c",
        "seq 3",
        "seq 2 2 8",
        "cat a.txt",
        "cat n.txt b.txt",
        "cat nosuch",
        "ls",
        "echo -n x",
        "printf '%03d|' 5 7",
        "ls dir",
    ]
)
filters = st.sampled_from(
    [
        "cat",
        "sort",
        "sort -r",
        "sort -n",
        "sort -u",
        "uniq",
        "uniq -c",
        "head -n 2",
        "tail -n 1",
        "wc -l",
        "wc -w",
        "wc -c",
        "tr a-z A-Z",
        "tr -d o",
        "cut -c1-2",
        "cut -d' ' -f1",
        "grep o",
        "grep -v o",
        "grep -c e",
        "grep -n '^t'",
        "rev",
        "tee t",
        "xargs",
        "xargs -n1 echo",
        "tail -n +2",
        "head -c 4",
        "tr -s o",
        'while read l; do echo "<$l>"; done',
    ]
)
targets = st.sampled_from(
    [
        "> o",
        ">> o",
        "2> e",
        "> o 2>&1",
        "&> o",
        "< a.txt",
        "<<< 'a b'",
        '<<< "$x"',
        "2>&1",
        ">&2",
        "> dir/o",
        "< nosuch",
        "2>/dev/null",
        ">| o",
    ]
)
tests = st.sampled_from(
    [
        "[ -f a.txt ]",
        "[ -d dir ]",
        "[ -e nosuch ]",
        '[ "$x" = foo ]',
        '[ -z "$x" ]',
        "[ 1 -lt 2 ]",
        "[ 3 -ge 4 ]",
        "[[ $x == f* ]]",
        "[[ -n $x && a < b ]]",
        "[[ foo =~ ^f(o+)$ ]]",
        "(( 1 + 1 > 1 ))",
        "(( 0 ))",
        "test a != b",
        "[ ! -f a.txt -o a = a ]",
        "! true",
        "! false",
        "grep -q one a.txt",
    ]
)
file_commands = st.sampled_from(
    ["touch new", "mkdir -p p/q", "cp a.txt c.txt", "mv b.txt moved", "rm n.txt", "rm -rf dir", "rm -f nosuch", "cp -r dir copy", "ln -s a.txt link", "mkdir dir", "rmdir nosuch", "mv a.txt dir", "touch 'sp ace'", "cp nosuch x", "rm dir", "cp a.txt b.txt dir", "find . -name '*.js' | sort", "find dir -type f | sort", "basename a/b.c .c", "dirname a/b"]
)  # fmt: skip


def is_certain(pipeline: str) -> bool:
    """Return whether the result does not depend on which process is quicker: tee continues until its reader has exited."""
    return "| tee t | head" not in pipeline


def build(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    word = words(inner)
    several = st.lists(word, min_size=0, max_size=3).map(" ".join)
    echo = several.map(lambda w: f"echo {w}")
    printed = several.map(lambda w: f"printf '[%s]' {w}")
    return st.one_of(
        echo,
        echo,
        printed,
        st.builds(lambda n, w: f"{n}={w}", names, word),
        st.builds(lambda n, w, c: f"{n}={w} {c}", names, st.one_of(plain, quoted), echo),
        st.builds(lambda c, t: f"{c} {t}", st.one_of(echo, simple_sources.filter(lambda s: "|" not in s)), targets),
        st.builds(lambda a, f: f"{a} | {f}", st.one_of(simple_sources, echo), filters),
        st.builds(lambda a, f, g: f"{a} | {f} | {g}", st.one_of(simple_sources, echo), filters, filters).filter(
            is_certain
        ),
        st.builds(lambda a, op, b: f"{a} {op} {b}", inner, st.sampled_from(["&&", "||", ";"]), inner),
        st.builds(lambda t, a, b: f"if {t}; then {a}; else {b}; fi", tests, inner, inner),
        st.builds(lambda t, a: f"{t} && {a}", tests, inner),
        st.builds(lambda n, w, b: f"for {n} in {w}; do {b}; done", names, several, inner),
        st.builds(lambda a: f"( {a})", inner),
        st.builds(lambda a, t: f"{{ {a}; }} {t}", inner, targets),
        st.builds(lambda w, p, a, b: f"case {w} in {p}) {a};; *) {b};; esac", word, patterns, inner, inner),
        st.builds(lambda a, w: f"f() {{ {a}; }}; f {w}", inner, several),
        st.builds(lambda a, w: f"set -- {w}; {a}", inner, several),
        st.builds(lambda a: f"i=0; while [ $i -lt 2 ]; do {a}; i=$((i+1)); done", inner),
        st.builds(lambda a, b: f"cat <<E\n{a} $x\nE\n{b}", st.one_of(plain, parameters), inner),
        st.builds(
            lambda c, n, w: f"{c} {n}={w}; sh -c 'echo \"[${n}]\"'",
            st.sampled_from(["export", "declare -x"]),
            names,
            word,
        ),
        st.builds(lambda o, a: f"set -{o}; {a}", st.sampled_from(["e", "f", "o pipefail"]), inner),
        st.builds(lambda a: f"trap 'echo bye' EXIT; {a}", inner),
        st.builds(lambda a: f"cd dir; {a}; cd ..", echo),
        st.builds(lambda a, n: f"{a}; exit {n}", inner, st.sampled_from(["", "0", "3", "300"])),
        st.builds(lambda a: f"eval {shlex.quote(a)}", echo),
        file_commands,
    )


base = st.one_of(simple_sources, file_commands, plain.map(lambda w: f"echo {w}"), parameters.map(lambda p: f"echo {p}"))
setups = st.sampled_from(
    ["", "x=foo; ", "x='a b'; ", "x=; ", "x=foo.bar.baz y=2; ", "x=3; ", "set -- p 'q r'; ", "IFS=:; x=a:b::c; "]
)
# `f` is there from the beginning: an unknown command has another status in rt.
lines = st.builds(lambda setup, line: f"f() {{ :; }}; {setup}{line}", setups, st.recursive(base, build, max_leaves=4))


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("part", range(PARTS))
def test_lines_mean_what_they_mean_in_bash(tmp_path: Path, part: int) -> None:
    differences: list[str] = []
    examples = 0

    @seed(os.urandom(8) if "RT_SHELL_RANDOM" in os.environ else part)
    @settings(
        max_examples=EXAMPLES,
        phases=(Phase.generate,),  # a line is short; making it shorter still takes longer than reading it
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(lines, min_size=LINES_TOGETHER, max_size=LINES_TOGETHER))
    def check(texts: list[str]) -> None:
        nonlocal examples
        examples += 1
        place = tmp_path / str(examples)
        pairs = zip(texts, in_bash(texts, place / "bash"), in_rt(texts, place / "rt"), strict=True)
        for text, (theirs, their_tree), (ours, our_tree) in pairs:
            if is_mangled(text):
                continue
            if "no matches found" in ours.err:
                continue  # an error as in the peer, where bash keeps the pattern: docs/shell.md
            if (ours.out, ours.status, our_tree) != (theirs.out, theirs.status, their_tree):
                differences.append(
                    f"{text}\n  bash: {theirs.status} {theirs.out!r}\n  rt:   {ours.status} {ours.out!r} {ours.err!r}"
                    + (f"\n  files: {their_tree}\n  rt:    {our_tree}" if our_tree != their_tree else "")
                )
        shutil.rmtree(place)

    check()
    assert examples == EXAMPLES
    assert not differences, f"{len(differences)} of {EXAMPLES * LINES_TOGETHER} lines differ:\n" + "\n".join(
        differences
    )


def is_mangled(text: str) -> bool:
    """Return whether bash itself may run something else: it prints the parsed text of `$( )` again, without the `;` after a
    `case` item with a here-document (5.2: `trap: echo: invalid signal specification`)."""
    return "<<E" in text and "case " in text and ("$(" in text or "`" in text)


def in_bash(texts: list[str], place: Path) -> list[tuple[Ran, dict[str, str]]]:
    """All lines in one process, each in a separate subshell."""
    make(texts, place)
    script = ["exec 2>/dev/null </dev/null"]
    for number, text in enumerate(texts):
        (place / f"{number}.line").write_text(text)
        script.append(f'(cd {number}; eval "$(< ../{number}.line)") > {number}.out; echo $? > {number}.status')
    environment = {"PATH": os.environ["PATH"], "HOME": "/home/someone", "LC_ALL": "C.UTF-8"}
    subprocess.run(["bash", "-c", "\n".join(script)], cwd=place, env=environment, check=False, timeout=120)
    ran = []
    for number in range(len(texts)):
        out = (place / f"{number}.out").read_bytes().decode("utf-8", "surrogateescape")
        status = int((place / f"{number}.status").read_text())
        ran.append((Ran(out.replace(str(place), "<PLACE>"), "", status), tree(place / str(number))))
    return ran


def in_rt(texts: list[str], place: Path) -> list[tuple[Ran, dict[str, str]]]:
    make(texts, place)
    ran = []
    for number, text in enumerate(texts):
        result = run(text, place / str(number), LC_ALL="C.UTF-8")
        ran.append((result._replace(out=result.out.replace(str(place), "<PLACE>")), tree(place / str(number))))
    return ran


def make(texts: list[str], place: Path) -> None:
    for number in range(len(texts)):
        for name, content in FILES.items():
            path = place / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)


def tree(folder: Path) -> dict[str, str]:
    """Return the contents of a folder; for error messages only whether there are any, since they differ."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_dir():
            found[name] = "folder"
        else:
            text = path.read_bytes().decode("utf-8", "surrogateescape").replace(str(folder.parent), "<PLACE>")
            found[name] = text if not mentions_errors(text) else "errors"
    return found


def mentions_errors(text: str) -> bool:
    return any(
        mark in text
        for mark in ("bash: ", "rt: ", ": No such", "cannot ", "Is a directory", "not a directory", "File exists")
    )
