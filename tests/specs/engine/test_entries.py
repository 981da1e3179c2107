"""Which files can be the main file, and what importing a file that is not a script yields."""

from __future__ import annotations

import os

import pytest
from rig import Box

WASM = bytes.fromhex("0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b")


def lines(box: Box, *arguments: str, **options: object) -> list[str]:
    done = box.run(*arguments, **options)
    assert (done.stderr, done.returncode) == (b"", 0)
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("words", [(), ("run",)])
def test_a_pipe_as_the_main_file(box: Box, words: tuple[str, ...]) -> None:
    read, write = os.pipe()
    source = "const n: number = 1; console.log(n, process.argv[1], process.argv[2], require.main === module)"
    os.write(write, source.encode())
    os.close(write)
    entry = f"/dev/fd/{read}"
    assert lines(box, *words, entry, "x", pass_fds=[read]) == [f"1 {entry} x true"]
    os.close(read)


def test_a_pipe_is_read_once_also_where_it_is_deeply_nested(box: Box) -> None:
    box.write({"deep.js": "[" * 3000 + "]" * 3000 + "; console.log('deep')"})
    with (box.folder / "deep.js").open("rb") as file:
        shell = box.start("/dev/stdin", stdin=-1)
        out, err = shell.communicate(file.read(), timeout=60)
    assert (out, err) == (b"deep\n", b"")


def test_an_error_in_a_pipe_shows_its_line(box: Box) -> None:
    shell = box.start("/dev/stdin", stdin=-1)
    _, err = shell.communicate(b"throw new Error('here')", timeout=60)
    assert err.startswith(b"1 | throw new Error('here')\n")


def test_a_named_pipe_is_a_main_file_and_no_module(box: Box) -> None:
    os.mkfifo(box.folder / "pipe.js")
    box.write({"import.mjs": "import './pipe.js'", "require.cjs": "require('./pipe.js')"})
    for name in ("import.mjs", "require.cjs"):
        done = box.run(name)
        assert done.returncode == 1
        assert done.stderr.startswith(b"error: Cannot find module './pipe.js' from ")
    process = box.start("./pipe.js")
    with (box.folder / "pipe.js").open("w") as pipe:
        pipe.write("console.log('ran')")
    assert process.communicate(timeout=60) == (b"ran\n", b"")


def test_links_files_without_extension_and_folders(box: Box) -> None:
    box.write(
        {
            "plain": "const n: number = 1; console.log('plain', n)",
            "real/a.mjs": "console.log(import.meta.path.split('/').slice(-2).join('/'), import.meta.main)",
            "index/index.ts": "console.log('index')",
            "main/package.json": {"main": "./lib/start"},
            "main/lib/start.js": "console.log('main')",
        }
    )
    (box.folder / "link.mjs").symlink_to("real/a.mjs")
    (box.folder / "linked").symlink_to("plain")
    assert lines(box, "./plain") == lines(box, "./linked") == ["plain 1"]
    assert lines(box, "./link.mjs") == ["real/a.mjs true"]
    assert lines(box, "--preserve-symlinks-main", "./link.mjs")[0].endswith("/link.mjs true")
    for value, is_kept in (("1", True), ("0", False), ("", False)):
        shown = lines(box, "./link.mjs", environment={"NODE_PRESERVE_SYMLINKS_MAIN": value})[0]
        assert shown.endswith("/link.mjs true") == is_kept, value
    assert lines(box, "./index") == ["index"]
    assert lines(box, "./main") == ["main"]


def test_webassembly_is_imported_as_its_path(box: Box) -> None:
    source = """
    import path from './add.wasm';
    import { readFileSync } from 'fs';
    const { instance } = await WebAssembly.instantiate(readFileSync(path));
    console.log(instance.exports.add(2, 3));
    """
    box.write(
        {"add.wasm": WASM, "main.mjs": source, "other.add": WASM, "main.cjs": "console.log(require('./other.add'))"}
    )
    assert lines(box, "main.mjs") == ["5"]
    assert lines(box, "--loader", ".add:wasm", "main.cjs")[0].endswith("/other.add")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (("import.mjs",), b"ERR_DLOPEN_FAILED"),
        (("--no-addons", "import.mjs"), b"ERR_DLOPEN_DISABLED"),
        (("--loader", ".bin:napi", "other.mjs"), b"ERR_DLOPEN_FAILED"),
    ],
)
def test_addons_that_cannot_be_imported(box: Box, line: tuple[str, ...], code: bytes) -> None:
    box.write({"a.node": b"\x7fELF", "a.bin": b"", "import.mjs": "import './a.node'", "other.mjs": "import './a.bin'"})
    done = box.run(*line)
    assert done.returncode == 1
    assert code in done.stderr


def test_addons_are_not_required(box: Box) -> None:
    box.write({"a.node": b"\x7fELF", "a.cjs": "try { require('./a.node') } catch (e) { console.log(e.code) }"})
    assert lines(box, "a.cjs") == ["ERR_DLOPEN_FAILED"]
    assert lines(box, "--no-addons", "a.cjs") == ["ERR_DLOPEN_DISABLED"]


def test_a_page_is_not_a_module(box: Box) -> None:
    box.write({"page.html": "<html></html>", "a.mjs": "import './page.html'"})
    done = box.run("a.mjs")
    assert done.returncode == 1
    assert (
        done.stderr == f"error: HTML imports are not available in this version of rt: {box.folder}/page.html\n".encode()
    )


DEFAULT = "Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = "


@pytest.mark.parametrize(
    "exported",
    [
        DEFAULT + "{ port: 0, fetch: () => new Response('') };",
        "module.exports = { port: 0, fetch: () => new Response('') };",
        "exports.fetch = () => new Response(''); exports.port = 0;",
        "module.exports = Object.assign(() => {}, { port: 0, fetch: () => new Response('') });",
    ],
)
def test_exports_of_commonjs_are_served(box: Box, exported: str) -> None:
    box.write({"a.cjs": exported + "\nsetImmediate(() => process.exit());\n"})
    assert b"server: http://localhost:" in box.run("a.cjs").stdout + box.run("a.cjs").stderr


@pytest.mark.parametrize(
    "text",
    ["exports.fetch = 1;\n", "exports.default = { fetch() {} };\n", DEFAULT + "null;\nexports.fetch = () => 1;\n"],
)
def test_exports_that_are_not_a_server(box: Box, text: str) -> None:
    box.write({"a.cjs": text})
    result = box.run("a.cjs")
    assert (result.stdout, result.stderr, result.returncode) == (b"", b"", 0)
