"""G27, G40: broken, unusual and hostile package.json, rtfig.toml, pnpm-workspace.yaml and patterns, through the real
rt.

Each results in an error with a location and a reason, or is accepted; never in a traceback or a hang. `tests/unit`
mutates the files by the thousand, in one process.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rig import Box

from rt_supervisor.cli.line.config_keys import find_key
from rt_supervisor.settings import config
from rt_supervisor.vocabulary.errors import Failed

GOOD = json.dumps({"name": "app", "version": "1.0.0", "scripts": {"a": "echo ran"}, "dependencies": {"b": "*"}})
PLACE = re.compile(r"package\.json:\d+:\d+: \S")
WAYS = {
    "plain": ("run", "a"),
    "filter": ("run", "--filter", "*", "a"),
    "parallel": ("run", "--parallel", "a"),
    "listing": ("run",),
    "graph": ("graph",),
}
# Contents of a package.json, and whether it is valid (None: both results are right).
MANIFESTS: dict[str, tuple[bytes, bool | None]] = {
    "empty": (b"", False),
    "only blanks": (b" \n\t\n", False),
    "cut off": (GOOD.encode()[:-9], False),
    "trailing text": (GOOD.encode() + b" x", True),
    "byte order mark": (b"\xef\xbb\xbf" + GOOD.encode(), True),
    "two byte order marks": (b"\xef\xbb\xbf\xef\xbb\xbf" + GOOD.encode(), False),
    "utf-16": (GOOD.encode("utf-16"), False),
    "invalid utf-8": (GOOD.replace("app", "\xe9").encode("latin-1"), None),
    "nul bytes": (GOOD.encode() + b"\0\0", True),
    "carriage returns": (GOOD.replace(",", ",\r\n").encode(), True),
    "comments": (b"// hello\n" + GOOD.encode(), None),
    "duplicate keys": (b'{"scripts": {"a": "echo lost"}, "scripts": {"a": "echo lost", "a": "echo ran"}}', True),
    "deep arrays": (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", None),
    "deep objects, never closed": (b'{"a":' * 100_000, False),
    "a number": (b"17", None),
    "an array": (b"[1, 2]", None),
    "null": (b"null", None),
    "huge number": (b'{"version": 1e999, "x": ' + b"9" * 5000 + b', "scripts": {"a": "echo ran"}}', None),
    "not a number": (b'{"x": NaN}', False),
    "lone surrogate": (b'{"name": "\\ud800", "scripts": {"a": "echo ran"}}', None),
    "scripts is a list": (b'{"scripts": ["a"]}', None),
    "script is a number": (b'{"scripts": {"a": 3}}', None),
    "workspaces of numbers": (b'{"workspaces": [1, null, {}], "scripts": {"a": "echo ran"}}', None),
    "long key": (b'{"' + b"k" * 1_000_000 + b'": 1, "scripts": {"a": "echo ran"}}', True),
    "64 MiB": (b'{"x": "' + b"x" * (64 << 20) + b'", "scripts": {"a": "echo ran"}}', None),
}


def check(result: subprocess.CompletedProcess[bytes], *, is_good: bool | None) -> None:
    err = result.stderr.decode()
    assert "Traceback" not in err and "bug in rt" not in err
    assert result.returncode in (0, 1, 127)  # 127: a word that is not a script is a command, which is not found
    if is_good is False:
        assert PLACE.search(err), err


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MANIFESTS)
def test_contents(box: Box, name: str, way: str) -> None:
    content, is_good = MANIFESTS[name]
    box.write({"package.json": content})
    result = box.run(*WAYS[way])
    check(result, is_good=is_good)
    if is_good and way in ("plain", "parallel"):
        assert b"ran\n" in result.stdout


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", [fifo, folder, loop, dangling, device, terminal])
@pytest.mark.parametrize("name", ["package.json", "p/package.json", "rtfig.toml", "pnpm-workspace.yaml", "p"])
def test_paths_that_are_not_files(box: Box, name: str, make: Callable[[Path], None], way: str) -> None:
    box.write({"good/package.json": GOOD})
    if name != "package.json":
        box.write({"package.json": {"name": "root", "scripts": {"a": "echo root"}, "workspaces": ["p", "good"]}})
    if name == "pnpm-workspace.yaml":
        box.write({"package.json": {"name": "root", "scripts": {"a": "echo root"}}})
    path = box.folder / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    result = box.run(*WAYS[way])
    check(result, is_good=None)
    if way == "filter" and name in ("p/package.json", "p"):
        assert b"ran\n" in result.stdout, "the other packages are run all the same"


CONFIGS = {
    "cut off": (b'[run]\nshell = "sy', r"error: rtfig\.toml:2:\d+: "),
    "duplicate key": (b"[run]\nsilent = true\nsilent = true\n", r"error: rtfig\.toml:3:\d+: "),
    "duplicate table": (b"[run]\n[run]\n", r"error: rtfig\.toml:2:\d+: "),
    "deep": (b"x = " + b"[" * 100_000, r"error: rtfig\.toml:1:1: nested too deeply"),
    "not utf-8": (b"[run]\n# \xff\n", r"error: \S*rtfig\.toml:2: not UTF-8"),
    "utf-16": ("[run]\n".encode("utf-16"), r"error: \S*rtfig\.toml:1"),
    "huge": (b"#" * (20 << 20), r"error: config file .* is too large"),
    "wrong type": (b"[run]\nsilent = 'x'\n", r'error: rtfig\.toml:2: "run\.silent" must be true or false'),
    "unknown key": (b"[run]\nsilnt = true\n", r'warn: rtfig\.toml:2: unknown key "run\.silnt"'),
    "byte order mark": (b"\xef\xbb\xbf[run]\nsilent = true\n", r"\Aran\n\Z"),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_config(box: Box, name: str) -> None:
    content, said = CONFIGS[name]
    box.write({"package.json": GOOD, "rtfig.toml": content})
    result = box.run("run", "a")
    check(result, is_good=None)
    assert re.search(said, (result.stderr + result.stdout).decode(), re.M)


MODEL = b"""# settings
preload = ["./a.ts", './b.ts']
jsx = "automatic"
[run]
shell = "system"
silent = false
elide-lines = 10
[define]
X = "1"
"""
BITS = [
    b'"',
    b"'",
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b"\n",
    b"\r",
    b"\0",
    b"\xff",
    b"#",
    b".",
    b'"""',
    b"1e9",
    b"[run]",
    b"\\u",
]


@settings(max_examples=3_000, deadline=None)
@given(st.randoms(use_true_random=False))
def test_thousands_of_mutations_of_a_config(tmp_path_factory: pytest.TempPathFactory, chance: random.Random) -> None:
    folder = tmp_path_factory.getbasetemp()
    data = mutate(MODEL, BITS, chance)
    (folder / "rtfig.toml").write_bytes(data)
    try:
        config.load(str(folder), None, find_key)
    except Failed as failed:
        assert re.search(r"rtfig\.toml(:\d+(:\d+)?: |: nested)", failed.failure.message), failed.failure.message


def mutate(model: bytes, bits: list[bytes], chance: random.Random) -> bytes:
    data = bytearray(model)
    for _ in range(chance.randint(1, 5)):
        at = chance.randint(0, len(data))
        match chance.randint(0, 3):
            case 0:
                data[at:at] = chance.choice(bits)
            case 1:
                del data[at : at + chance.randint(1, 10)]
            case 2:
                data[at : at + 1] = bytes([chance.randint(0, 255)])
            case _:
                data[at:at] = data[chance.randint(0, len(data)) :][: chance.randint(1, 30)]
    return bytes(data)


def test_mutations_through_the_real_rt(box: Box) -> None:
    chance = random.Random(27)
    bits = [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\xff", b"\xef\xbb\xbf"]
    for _ in range(40):
        box.write({"package.json": mutate(GOOD.encode(), bits, chance), "rtfig.toml": mutate(MODEL, BITS, chance)})
        for way in ("plain", "filter"):
            check(box.run(*WAYS[way]), is_good=None)


PATTERNS = [
    "*" * 5000,
    "**/" * 2000,
    "./" + "*/" * 2000 + "x",
    "./" + "**/a/" * 50 + "b",
    "a*" * 500 + "b",
    "[" * 1000,
    "{" + "a,b," * 1000 + "}",
    "{" * 1000,
    "{a,b}" * 200,
    "./" + "{a,b}/" * 100,
    "!" * 1000 + "a",
    "..." * 300,
    "^" * 300 + "...",
    "\\" * 999,
    "[!" + "z-a" * 300 + "]*" * 100,
    "\u202e\U0001f600" * 300,
    "./" + "../" * 3000,
    "?" * 4000,
    "@(a|b)+(c)*(d)" * 100,
    "x" * 100_000,
]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern[:12])
def test_hostile_patterns_end(box: Box, pattern: str) -> None:
    """As filters and as workspace globs; benchmarks/reliability measures the time."""
    names = ["a" * 200, "b/" + "a/" * 30 + "c", "aaaa/b"]
    box.write({"package.json": {"workspaces": [pattern, "*"]}})
    for name in names:
        box.write({f"{name}/package.json": {"name": name[:200], "scripts": {"a": "echo ran"}}})
    for way in (("run", "--filter", pattern, "a"), ("run", "--filter", "*", "a"), ("run", "--parallel", pattern + "*")):
        result = box.run(*way)
        assert b"Traceback" not in result.stderr and b"bug in rt" not in result.stderr
        assert len(result.stderr) < 300_000
