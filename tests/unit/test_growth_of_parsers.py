"""The processor time of every parser in Python that reads a file of the user grows with the file: lockfiles of all package
managers, `.env` files, `.npmrc`, `pnpm-workspace.yaml`, filters and version ranges."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from growth import assert_linear

from rt_supervisor import _native
from rt_supervisor.packages.lockfiles import nearest_lockfile
from rt_supervisor.packages.npmrc import read_settings
from rt_supervisor.packages.specifiers import read_specifier
from rt_supervisor.settings.env_files import expand, parse
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.workspace import resolved
from rt_supervisor.workspace.pnpm import parse_patterns
from rt_supervisor.workspace.selection import parse_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 4_000

# lockfile -> texts before a repeated piece, after it, and the pieces
Shape = tuple[str, str, list[str]]
NPM_PLACES = '{"packages": {"node_modules/'
SHAPES: dict[str, list[Shape]] = {
    "package-lock.json": [
        ("", "", ["[", '{"packages":{', '"', '"\\"', "\\", '{"a":1},']),
        ('{"packages": {', '"": {}}}', ['"node_modules/a": {"version": "1.0.0"},', '"node_modules/b": {"dependencies": {"b": "1"}},']),
        (NPM_PLACES, '": {"dependencies": {"b": "1"}}}}', ["a/node_modules/", "a/", "/", "node_modules/"]),
        ('{"dependencies": ', "", ['{"a": {"version": "1.0.0", "dependencies": ']),
    ],
    "bun.lock": [
        ("", "", ["[", '{"packages":{', '"', "/*", "//", ",", "\\", "'"]),
        ('{"workspaces": {}, "packages": {"', '": ["a@1", "", {"dependencies": {"b": "1"}}, ""]}}', ["a/", "/", "@", "a@1"]),
        ('{"workspaces": {}, "packages": {', "}}", ['"a": ["a@1.0.0", "", {}, "x"],\n', '"a": ["' + "@" * 50 + '"],\n']),
    ],
    "pnpm-lock.yaml": [
        ("", "", ["a:\n", " ", "- ", "- a\n", "a: ", ":", "'", '"', "''", "{", "a: {b: c}\n", "a:    x", "?"]),
        ("snapshots:\n  a@1:\n    dependencies:\n", "", ["      a: 1\n", "      b: 1(a@1)\n", "(", "      'a", "      a:  "]),
        ("a:\n", "", [f"{' ' * depth}a:\n" for depth in (1, 7)]),
    ],
    "yarn.lock": [
        ("", "", ["a@1:\n", "\n", "\n\n", '"a@1", ', "a@1, ", ":\n", "#", "#\n", '"', " ", 'a@1:\n  version "1"\n']),
        ('a@1:\n  dependencies:\n    a "', "", [" ", '"', "1 ", ":"]),
        ("a@1:\n  dependencies:\n    a", '"" x', [" ", "\t", "a ", ': "']),
        ('"a@npm:1":\n  dependencies:\n', "", ['    a: "npm:1"\n', "    a ", "    a 1\n", '    "a"']),
        ("", ":\n  version 1\n", ["a@1, ", '"a@1", ', "@", "a@npm:"]),
    ],
}  # fmt: skip
LOCKFILES = [(name, shape) for name, shapes in SHAPES.items() for shape in shapes]


@pytest.mark.parametrize(("name", "shape"), LOCKFILES, ids=lambda value: value if isinstance(value, str) else "")
def test_lockfiles(tmp_path: Path, name: str, shape: Shape) -> None:
    before, after, pieces = shape

    def read_for_tasks(text: str) -> None:
        resolved.digests(text.encode(), name, ["", "web"], {"": {"a": "1", "b": "1"}, "web": {"a": "1"}})

    def read_for_packages(text: str) -> None:
        (tmp_path / name).write_text(text)
        nearest_lockfile(str(tmp_path))

    readers = [read_for_tasks, read_for_packages] if name.endswith(("json", "bun.lock")) else [read_for_tasks]
    for reader in readers:
        for piece in pieces:

            def run(size: int, reader: Callable[[str], None] = reader, piece: str = piece) -> None:
                reader(before + piece * (size // len(piece)) + after)

            assert_linear(run, SIZE)


def read_npmrc(text: str, folder: Path) -> None:
    (folder / ".npmrc").write_text(text)
    (folder / "package.json").write_text("{}")
    read_settings(str(folder), {"HOME": str(folder)})


def parse_filter(text: str, _: Path) -> None:
    try:
        pattern = parse_pattern(text)
    except Failed:
        return
    _native.match_glob(pattern.glob[:1000], ["a" * 50, "b" * 50])


def compare_versions(text: str, _: Path) -> None:
    with suppress(ValueError):
        _native.satisfying_versions(text, ["1.2.3", "2.0.0"])


# parser -> a function of a text, and the pieces
PARSERS: dict[str, tuple[Callable[[str, Path], object], list[str]]] = {
    ".env": (lambda text, _: parse(text), ["A=", "A=b\n", 'A="', "A='", "\\", "export ", "#", "A=`", "A: b\n", "\r"]),
    ".env references": (
        lambda text, _: expand({"A": text, "B": "x" * 10}, {}),
        ["$A", "${B}", "${", "$", "\\$", "${A:-", "}", "${A:-${"],
    ),
    ".npmrc": (read_npmrc, ["a=b\n", "a=${", "a=${X}\n", "${", "=", "//a/:_authToken=", "\n", "; ", '"', "${a"]),
    "pnpm-workspace.yaml": (
        lambda text, _: parse_patterns(f"packages: [{text}"),
        ["a,", "'", '"', "[", "#", " #\n", "a\n", "''"],
    ),
    "pnpm-workspace.yaml, a list": (
        lambda text, _: parse_patterns(f"packages:\n{text}"),
        ["- a\n", "- ", "- '", "\n", " #", '"'],
    ),
    "a filter": (parse_filter, ["...", "!", "^", "{", "[", "[a]", "*", "**/", "./", "{a,", "\\"]),
    "a specifier": (lambda text, _: read_specifier(text), ["@", "a/", "@a/", "a@", "1.", "-", "/"]),
    "a version range": (
        compare_versions,
        ["1.", "||", " ", ">=1 ", "- ", "^1.2.3 ", "x", "1.2.3-a.", "1 - 2 "],
    ),
}


@pytest.mark.parametrize("name", PARSERS)
def test_other_parsers(tmp_path: Path, name: str) -> None:
    parser, pieces = PARSERS[name]
    for piece in pieces:

        def run(size: int, piece: str = piece) -> None:
            parser(piece * (size // len(piece)), tmp_path)

        assert_linear(run, SIZE)
