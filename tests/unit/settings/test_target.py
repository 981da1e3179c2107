"""The meaning of a name on the command line, with real folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rt_supervisor.settings import target
from rt_supervisor.settings.target import Places, Target, find_target
from rt_supervisor.vocabulary.errors import Failed
from rt_supervisor.vocabulary.extensions import EXTENSIONS

SCRIPTS = {
    "lib": "echo script",
    "a.ts": "echo script",
    "a/b": "echo slash",
    "v1.2": "echo dot",
    "empty": "",
    "tool": "x",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "a.ts",
        "d.ts",
        "only.mts",
        "lib/index.ts",
        "pkg/m.js",
        "deep/er/index.tsx",
        "run.sh",
        "data.json",
        "n.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "pkg/package.json").write_text('\ufeff{"main":"./m"}')
    (tmp_path / "deep/package.json").write_text('{"main":"er"}')
    (tmp_path / "noext").write_text("")
    (tmp_path / "hollow").mkdir()
    put_binary(tmp_path, "cli")
    put_binary(tmp_path, "tool")
    put_binary(tmp_path, "x.ts")
    put_binary(tmp_path, "off").chmod(0o644)
    return tmp_path


def put_binary(folder: Path, name: str, text: str = "#!/bin/sh\n") -> Path:
    path = folder / "node_modules/.bin" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def places(folder: Path, **changes: object) -> Places:
    fields = {"folder": str(folder), "scripts": SCRIPTS, "path": "/usr/bin:/bin"} | changes
    return Places(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind", "path"),
    [
        ("lib", "script", ""),
        ("a.ts", "script", ""),
        ("a/b", "script", ""),
        ("v1.2", "script", ""),
        ("tool", "script", ""),
        ("d", "file", "d.ts"),
        ("d.ts", "file", "d.ts"),
        ("./d", "file", "d.ts"),
        (".\\d.ts", "file", "d.ts"),
        ("only", "file", "only.mts"),
        ("./lib", "file", "lib/index.ts"),
        ("lib/", "file", "lib/index.ts"),
        ("pkg", "file", "pkg/m.js"),
        ("deep", "file", "deep/er/index.tsx"),
        ("./a.ts", "file", "a.ts"),
        ("noext", "file", "noext"),
        ("hollow/../d", "file", "d.ts"),
        ("cli", "binary", "node_modules/.bin/cli"),
        ("x.ts", "binary", "node_modules/.bin/x.ts"),
        ("run.sh", "shell-file", "run.sh"),
        ("node_modules/.bin/cli", "file", "node_modules/.bin/cli"),
    ],
)
def test_with_run(folder: Path, name: str, kind: str, path: str) -> None:
    expected = Target(kind, name, str(folder / path) if path else "")
    assert find_target(name, places(folder), with_run=True) == expected


def test_without_run_a_file_with_an_extension_comes_first(folder: Path) -> None:
    assert find_target("a.ts", places(folder), with_run=False).kind == "file"
    assert find_target("lib", places(folder), with_run=False).kind == "script"
    assert find_target("v1.2", places(folder), with_run=False).kind == "script"


def test_system_commands_only_with_run(folder: Path) -> None:
    found = find_target("ls", places(folder), with_run=True)
    assert (found.kind, os.path.basename(found.path)) == ("system", "ls")
    with pytest.raises(Failed, match=r'^Script not found "ls"$'):
        find_target("ls", places(folder), with_run=False)


def test_absolute_paths_are_files(folder: Path) -> None:
    assert find_target(f"{folder}/d", places(folder), with_run=True).path == f"{folder}/d.ts"


def test_binaries_of_parent_folders_nearest_first(folder: Path) -> None:
    inner = folder / "packages/p"
    inner.mkdir(parents=True)
    assert find_target("cli", places(inner), with_run=False).path == f"{folder}/node_modules/.bin/cli"
    near = put_binary(inner, "cli")
    assert find_target("cli", places(inner), with_run=False).path == str(near)


@pytest.mark.parametrize(
    "name", ["nope", "empty", "toString", "__proto__", "a b", "hollow", "nope/x", "@scope/x", "off", " "]
)
def test_script_not_found(folder: Path, name: str) -> None:
    with pytest.raises(Failed) as caught:
        find_target(name, places(folder), with_run=True)
    assert caught.value.failure.message == f'Script not found "{name}"'
    assert caught.value.failure.reason in target.NOT_FOUND


@pytest.mark.parametrize(
    "name", ["gone.ts", "./gone.ts", "./gone", "/no/such/gone.js", "./hollow", "..", ".x", "x\0.js"]
)
def test_module_not_found(folder: Path, name: str) -> None:
    with pytest.raises(Failed) as caught:
        find_target(name, places(folder / "hollow"), with_run=True)
    assert caught.value.failure.message == f'Module not found "{name}"'
    assert caught.value.failure.reason in target.NOT_FOUND


@pytest.mark.parametrize("name", ["gone.txt", "gone.md", "x/gone.foo", "gone.sh", "gone."])
def test_file_not_found(folder: Path, name: str) -> None:
    with pytest.raises(Failed, match=f'File not found "{name}"') as caught:
        find_target(name, places(folder), with_run=True)
    assert caught.value.failure.reason in target.NOT_FOUND


def test_a_name_too_long_for_the_system(folder: Path) -> None:
    with pytest.raises(Failed, match=r"^Script not found"):
        find_target("x" * 5000, places(folder), with_run=True)


def test_errors_in_the_manifest_are_reported(folder: Path) -> None:
    with pytest.raises(Failed, match=r'^Script not found "hello"\nnote: package.json:1:5: broken$'):
        find_target("hello", places(folder, scripts={}, problem="package.json:1:5: broken"), with_run=True)


def test_data_is_not_run_unless_a_loader_says_so(folder: Path) -> None:
    with pytest.raises(Failed, match=r"data.json\"\nnote: rt cannot run json files directly$"):
        find_target("./data", places(folder), with_run=True)
    with pytest.raises(Failed, match="rt cannot run text files directly"):
        find_target("n.txt", places(folder), with_run=True)
    assert find_target("n.txt", places(folder, loaders=[".txt"]), with_run=True).kind == "file"


def test_extension_order(folder: Path) -> None:
    for extension in reversed(EXTENSIONS[:8]):
        (folder / f"m{extension}").write_text("")
        assert find_target("./m", places(folder), with_run=True).path == f"{folder}/m{extension}"
    assert find_target("m", places(folder, extensions=[".cjs", ".ts"]), with_run=True).path == f"{folder}/m.cjs"


def test_a_broken_package_json_of_a_folder_leaves_its_index(folder: Path) -> None:
    (folder / "lib/package.json").write_text("{" * 100_000)
    assert find_target("./lib", places(folder), with_run=True).path == f"{folder}/lib/index.ts"


def test_a_command_that_exceeds_the_process_limits(folder: Path) -> None:
    for command in ("echo \0", "echo \ud800"):
        with pytest.raises(Failed, match="cannot be run"):
            find_target("bad", places(folder, scripts={"bad": command}), with_run=True)


@pytest.mark.parametrize(
    ("line", "is_node"),
    [
        ("/usr/bin/env node", True),
        ("/usr/bin/env -S node --no-warnings", True),
        ("/usr/bin/env -S A=1 node", True),
        ("/opt/x/bin/node --flag", True),
        ("/usr/bin/env nodejs", True),
        ("/bin/sh", False),
        ("/usr/bin/env rt", False),
        ("/usr/bin/env", False),
        ("", False),
    ],
)
def test_shebangs_that_name_node(tmp_path: Path, line: str, is_node: bool) -> None:
    (tmp_path / "x").write_text(f"#!{line}\n1")
    interpreter = target.shebang(str(tmp_path / "x"))
    assert interpreter is not None
    assert target.names_node(interpreter) is is_node


def test_how_binaries_are_started(tmp_path: Path) -> None:
    def words(text: str, *, use_rt: bool) -> tuple[str, ...]:
        path = put_binary(tmp_path, "b", text)
        return target.binary_argv(Target("binary", "b", str(path)), ["x"], executable="/rt", use_rt=use_rt)

    path = str(tmp_path / "node_modules/.bin/b")
    assert words("#!/usr/bin/env node\n", use_rt=False) == (path, "x")
    assert words("#!/usr/bin/env node\n", use_rt=True) == ("/rt", path, "x")
    assert words("#!/bin/sh\n", use_rt=True) == (path, "x")
    assert words("echo hi\n", use_rt=False) == ("/bin/sh", path, "x")
    native = Target("system", "ls", "/bin/ls")
    assert target.binary_argv(native, [], executable="/rt", use_rt=True) == ("/bin/ls",)


@pytest.mark.parametrize(
    ("named", "there"),
    [("x.js", "x.ts"), ("x.js", "x.tsx"), ("x.mjs", "x.mts"), ("x.cjs", "x.cts"), ("x.jsx", "x.tsx")],
)
@pytest.mark.parametrize("before", ["", "./", "{folder}/"])
def test_a_name_as_it_will_be_once_it_is_compiled(folder: Path, named: str, there: str, before: str) -> None:
    (folder / there).write_text("")
    for with_run in (True, False):
        found = find_target(f"{before.format(folder=folder)}{named}", places(folder), with_run=with_run)
        assert found.path == f"{folder}/{there}"
    (folder / named).write_text("")
    assert find_target(f"./{named}", places(folder), with_run=True).path == f"{folder}/{named}"


@pytest.mark.parametrize("named", ["x.mjs", "x.js.js", "x.json"])
def test_a_name_that_no_source_is_compiled_to(folder: Path, named: str) -> None:
    (folder / "x.ts").write_text("")
    with pytest.raises(Failed, match="Module not found"):
        find_target(f"./{named}", places(folder), with_run=True)


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ('{ // why\n "main": "m.js" }', "m.js"),
        ('{"main": "m.js",}', "m.js"),
        ("", "index.js"),
        ('{"main": ', "index.js"),
        ("[]", "index.js"),
    ],
)
def test_a_folder_whose_package_json_is_not_strict_json(folder: Path, text: str, main: str) -> None:
    box = folder / "box"
    box.mkdir()
    for name, content in {"package.json": text, "m.js": "", "index.js": ""}.items():
        (box / name).write_text(content)
    assert find_target(".", places(box), with_run=False).path == f"{box}/{main}"
