"""Reading package.json: the dialect, locations of errors, files that are not manifests, and corrupted input."""

from __future__ import annotations

import os
import random
import socket
from pathlib import Path
from typing import Any

import pytest
from trees import Write

from rt_supervisor.workspace.manifest import (
    Manifest,
    ManifestProblem,
    find_nearest_manifest,
    read_manifest,
    read_manifests,
)


def reading(tmp_path: Path, content: str | bytes) -> Manifest | ManifestProblem:
    path = tmp_path / "package.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    return read_manifest(str(path))


def good(tmp_path: Path, content: str | bytes) -> Manifest:
    result = reading(tmp_path, content)
    assert isinstance(result, Manifest), str(result)
    return result


def test_the_fields_of_a_manifest(tmp_path: Path) -> None:
    manifest = good(
        tmp_path,
        """{"name": "@s/a", "version": "1.2.3", "main": "m.js", "config": {"port": 8080, "host": "h"},
        "scripts": {"b": "1", "a": "", "c": 5, "pre b": "2"}, "dependencies": {"x": "1", "y": "*"},
        "devDependencies": {"y": "2", "z": "3"}, "optionalDependencies": {"o": "1"}, "peerDependencies": {"p": "1"},
        "workspaces": ["w/*", "!w/x", 5]}""",
    )
    assert (manifest.name, manifest.version, manifest.main) == ("@s/a", "1.2.3", "m.js")
    assert list(manifest.scripts.items()) == [("b", "1"), ("a", ""), ("pre b", "2")]
    assert (manifest.script("a"), manifest.script("b"), manifest.script("c")) == ("", "1", None)
    assert manifest.config == {"host": "h"}
    assert manifest.dependencies == ("x", "y", "z", "o")
    assert manifest.workspaces == ("w/*", "!w/x")
    assert (manifest.path, manifest.folder) == (str(tmp_path / "package.json"), str(tmp_path))


@pytest.mark.parametrize(
    ("dependencies", "names"),
    [
        ('"peerDependencies": {"p": "workspace:*", "q": "^1.0.0"}', ("p",)),
        ('"dependencies": {"x": "workspace:lib@*", "y": "workspace:@s/lib@^1.0.0"}', ("lib", "@s/lib")),
        ('"devDependencies": {"x": "workspace:^", "@s/y": "workspace:../y", "z": "npm:lib@1"}', ("x", "@s/y", "z")),
        ('"dependencies": {"x": "workspace:lib@*"}, "peerDependencies": {"lib": "workspace:*"}', ("lib",)),
    ],
)
def test_workspace_ranges(tmp_path: Path, dependencies: str, names: tuple[str, ...]) -> None:
    assert good(tmp_path, f"{{{dependencies}}}").dependencies == names


def test_absent_is_not_empty(tmp_path: Path) -> None:
    manifest = good(tmp_path, "{}")
    assert (manifest.name, manifest.version, manifest.main, manifest.workspaces) == (None, None, None, None)
    assert (manifest.scripts, manifest.config, manifest.dependencies) == ({}, {}, ())
    manifest = good(tmp_path, '{"name": "", "workspaces": []}')
    assert (manifest.name, manifest.workspaces) == ("", ())


@pytest.mark.parametrize("value", ["5", "true", "null", '"text"', "[1]", "[[{}]]", '{"a": {"b": 1}}', "1.5", "-1"])
def test_wrong_types_count_as_absent(tmp_path: Path, value: str) -> None:
    fields = ("scripts", "config", "dependencies", "devDependencies", "name", "version", "main")
    manifest = good(tmp_path, "{" + ",".join(f'"{field}": {value}' for field in fields if value != '"text"') + "}")
    assert (manifest.name, manifest.version, manifest.main) == (None, None, None)
    assert (manifest.scripts, manifest.config, manifest.dependencies) == ({}, {}, ())


def test_workspaces_may_be_an_object(tmp_path: Path) -> None:
    assert good(tmp_path, '{"workspaces": {"packages": ["a"], "nohoist": ["b"]}}').workspaces == ("a",)
    for value in (
        '{"nohoist": ["b"]}',
        '"a"',
        "true",
        "null",
        '{"packages": "a"}',
        '{"packages": {"packages": ["a"]}}',
    ):
        assert good(tmp_path, f'{{"workspaces": {value}}}').workspaces is None


@pytest.mark.parametrize(
    "text",
    [
        '\ufeff{"scripts": {"x": "ok"}}',
        '{\r\n  "scripts": {\r\n    "x": "ok"\r\n  }\r\n}\r\n',
        '{"scripts": {"x": "ok",},}',
        '{ // why\n "scripts": {"x": /* ok? */ "ok"}}',
        '{"scripts": {"x": "no", "x": "ok"}}',
        '{"scripts": {"x": "no"}, "scripts": {"x": "ok"}}',
        '{"scripts": {"x": "\\u006f\\u006b"}, "lone": "\\ud800"}',
        '{"deep": ' + "[" * 100_000 + "]" * 100_000 + ', "scripts": {"x": "ok"}}',
        '{"scripts": {"x": "ok"}} // the end',
        '{"scripts": {"x": "ok"}}}',
        '{"scripts": {"x": "ok"}} and {"scripts": {}} "',
        '{"scripts": {"x": "ok",}},',
    ],
)
def test_trailing_text_is_ignored(tmp_path: Path, text: str) -> None:
    assert good(tmp_path, text).scripts == {"x": "ok"}


def test_strings_may_have_single_quotes(tmp_path: Path) -> None:
    text = r"""{ // it's
      'name': 'a"b\'c\\', /* ' */ "main": "it's // '", 'scripts': {'x': '', 'y': 'http://é\u00e9',},
    }"""
    fields = good(tmp_path, text)
    assert (fields.name, fields.main) == ("a\"b'c\\", "it's // '")
    assert fields.scripts == {"x": "", "y": "http://éé"}
    for bad in ("{'a: 1}", "{'a\n': 1}", "{'a': 'b}"):
        assert isinstance(reading(tmp_path, bad), ManifestProblem)


def test_invalid_unicode_survives(tmp_path: Path) -> None:
    pair_and_lone = '{"scripts": {"x": "a\\ud800b\\udc00\\ud83d\\ude00\\\\ud800"}}'
    assert good(tmp_path, pair_and_lone).scripts == {"x": "a\ufffdb\ufffd\U0001f600\\ud800"}
    assert good(tmp_path, b'{"scripts": {"x": "a\xffb"}}').scripts == {"x": "a\ufffdb"}


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("{nope", 1, 2, "expected a key in double quotes"),
        ('{"a": 1 "b": 2}', 1, 9, "expected `,` or `}`"),
        ('{\n  "é": "é" x\n}', 2, 12, "expected `,` or `}`"),
        ('{\r\n  "a": tru\r\n}', 2, 11, "expected a value"),
        ('{/* é\n\n */ "a": 1\n "b": 2}', 4, 2, "expected `,` or `}`"),
        ('{"a": NaN}', 1, 7, "expected a value"),
        ('{"a": Infinity}', 1, 7, "expected a value"),
        ('{"a": "x\ny"}', 1, 9, "a string holds a line break or control character"),
        ('{"a": 1', 1, 8, "the file ends inside an object"),
        ('{"a": [1,\n', 1, 10, "the file ends inside a value"),
        ('{"a": "x', 1, 9, "the file ends inside a string"),
        ('{"a": "\\x"}', 1, 9, "invalid escape"),
        ('{"a": 1,,}', 1, 9, "expected a key in double quotes"),
        ("", 1, 1, "the file is empty"),
        (" \n ", 1, 1, "the file is empty"),
        ("\n []", 2, 2, "the file must hold an object"),
        ('"text"', 1, 1, "the file must hold an object"),
        ("5", 1, 1, "the file must hold an object"),
        ("null", 1, 1, "the file must hold an object"),
    ],
)
def test_errors_have_a_location_and_a_reason(tmp_path: Path, text: str, line: int, column: int, reason: str) -> None:
    problem = reading(tmp_path, text)
    assert isinstance(problem, ManifestProblem)
    assert (problem.line, problem.column, problem.reason, problem.missing) == (line, column, reason, False)
    assert str(problem) == f"{tmp_path}/package.json:{line}:{column}: {reason}"


def test_utf16_is_named(tmp_path: Path) -> None:
    assert "is UTF-16, not UTF-8" in str(reading(tmp_path, '{"a": 1}'.encode("utf-16")))


def test_missing_is_distinguished_from_broken(tmp_path: Path) -> None:
    problems = read_manifests([f"{tmp_path}/nope/package.json", f"{tmp_path}/\udcff", "/etc/passwd/package.json"])
    assert [problem.missing for problem in problems if isinstance(problem, ManifestProblem)] == [True] * 3


def test_special_files_are_rejected_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "socket"))
    (tmp_path / "loop").symlink_to("loop")
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate((16 << 20) + 1)
    expected = {
        str(tmp_path): "is a folder, not a file",
        str(tmp_path / "pipe"): "is a named pipe, not a file",
        str(tmp_path / "socket"): "No such device or address",
        str(tmp_path / "loop"): "Too many levels of symbolic links",
        str(big): "is larger than 16 MiB",
        "/dev/zero": "is a device, not a file",
    }
    for problem, (path, reason) in zip(read_manifests(list(expected)), expected.items(), strict=True):
        assert isinstance(problem, ManifestProblem)
        assert (problem.path, problem.reason, problem.missing, problem.line) == (path, reason, False, 0)
        assert str(problem) == f"{path}: {reason}"
    listening.close()


def test_ranges_of_all_tables(tmp_path: Path) -> None:
    manifest = good(
        tmp_path,
        """{"dependencies": {"a": "1", "odd": 5}, "devDependencies": {"a": "2", "b": "^3"}, "optionalDependencies": [],
        "peerDependencies": {"b": "4", "p": "5"}} // a comment""",
    )
    assert manifest.ranges == {"a": "1", "b": "^3", "p": "5"}
    assert manifest.dependencies == ("a", "b")
    assert good(tmp_path, "{}").ranges == {}


def test_many_files_come_back_in_order(tree: Write) -> None:
    root = tree({f"p{number}/package.json": {"name": str(number)} for number in range(700)})
    manifests = read_manifests([f"{root}/p{number}/package.json" for number in range(700)])
    assert [manifest.name for manifest in manifests if isinstance(manifest, Manifest)] == list(map(str, range(700)))


def test_a_manifest_survives_as_plain_data(tmp_path: Path) -> None:
    import marshal

    manifest = good(tmp_path, '{"name": "a", "scripts": {"b": "c"}, "workspaces": ["x"], "dependencies": {"d": "1"}}')
    plain: Any = manifest.plain()
    again = Manifest(*marshal.loads(marshal.dumps(plain)))
    assert again == manifest
    assert again.plain() == manifest.plain()
    assert hash(again) == hash(manifest)
    assert again != read_manifest(__file__)


def test_the_nearest_manifest(tree: Write) -> None:
    root = tree({"package.json": "{}", "a/b/c/x": "", "a/package.json": "broken"})
    assert find_nearest_manifest(f"{root}/a/b/c") == f"{root}/a/package.json"
    assert find_nearest_manifest(str(root)) == f"{root}/package.json"
    assert find_nearest_manifest("/proc/self/task") is None


MODEL = (
    b'{"name": "a", "version": "1", "scripts": {"x": "e \\u00e9 \\ud83d\\ude00", "y": "\xc3\xa9"}, "config": {"k": "v"},'
    b' // c\n "dependencies": {"b": "1",}, "workspaces": {"packages": ["p/*", "!q"]}, "n": [1, -2.5e3, null, true] }'
)
BITS = [
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"/*",
    b"*/",
    b"//",
    b"\\u",
    b"\\ud800",
    b"\0",
    b"\xff",
    b"\n",
    b"1e999",
]


def test_ten_thousand_mutations_are_read_or_rejected(tmp_path: Path) -> None:
    rng = random.Random(20)
    read = refused = 0
    for batch in range(20):
        paths = []
        for number in range(500):
            data = bytearray(MODEL)
            for _ in range(rng.randint(1, 6)):
                at = rng.randrange(len(data) + 1)
                match rng.randrange(5):
                    case 0:
                        data[at:at] = rng.choice(BITS)
                    case 1:
                        del data[at : at + rng.randint(1, 12)]
                    case 2:
                        data[at : at + 1] = bytes([rng.randrange(256)])
                    case 3:
                        data[at:at] = data[rng.randrange(len(data) + 1) :][: rng.randint(1, 40)]
                    case _:
                        data = data[:at] or bytearray(b"{")
            path = tmp_path / f"{batch}-{number}.json"
            path.write_bytes(data)
            paths.append(str(path))
        for name, result in zip(paths, read_manifests(paths), strict=True):
            if isinstance(result, Manifest):
                read += 1
                result.plain()
            else:
                refused += 1
                lines = Path(name).read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")
                assert 1 <= result.line <= len(lines), name
                assert 1 <= result.column <= len(lines[result.line - 1]) + 1, name
                assert result.reason and not result.missing
            os.unlink(name)
    assert read > 300 and refused > 300
