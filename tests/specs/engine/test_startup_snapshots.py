"""Start-up snapshots of programs: `--build-snapshot`, `--snapshot-blob` and `v8.startupSnapshot`, compared with Node."""

from __future__ import annotations

import json
import subprocess

import js_peers as peers
import pytest
from rig import Box

IDENTITY = "--identity=node"
BUILDER = """
const { startupSnapshot } = require('node:v8');
const shelf = { books: new Map([['a', 'text of a']]), bytes: new Uint8Array([1, 2]) };
console.log('building', startupSnapshot.isBuildingSnapshot(), process.argv.length);
startupSnapshot.addSerializeCallback((it) => it.books.set('s', 'serialized'), shelf);
startupSnapshot.addDeserializeCallback((it) => it.books.set('d', 'deserialized'), shelf);
startupSnapshot.setDeserializeMainFunction((it) => {
  console.log(process.argv.slice(1), process.env.LANGUAGE_OF_BOOK, it.bytes[1], [...it.books.keys()], it.books.get('a'));
  setTimeout(() => console.log(startupSnapshot.isBuildingSnapshot(), require('node:path').basename(__filename)), 1);
}, shelf);
"""


def build(box: Box, *arguments: str, name: str = "entry.cjs") -> subprocess.CompletedProcess[bytes]:
    return box.run(IDENTITY, "--snapshot-blob", "it.blob", *arguments, "--build-snapshot", name)


def test_a_stored_program_continues_with_its_heap(box: Box) -> None:
    box.write({"entry.cjs": BUILDER})
    built = build(box)
    assert built.stdout == b"building 1 2\n"
    assert built.returncode == 0, built.stderr
    for book in ("one", "two"):  # the file stays as it is
        result = box.run(IDENTITY, "--snapshot-blob", "it.blob", book, "-x", environment={"LANGUAGE_OF_BOOK": "en"})
        assert result.stdout.decode() == (f"[ '{book}', '-x' ] en 2 [ 'a', 's', 'd' ] text of a\n0 entry.cjs\n"), (
            result.stderr
        )


def test_a_file_runs_with_what_the_builder_left(box: Box) -> None:
    box.write(
        {
            "entry.cjs": "require('fs').left = { by: 'the builder' }; globalThis.left = new Uint8Array([1, 2]);",
            "file.cjs": "console.log(require('fs').left, left, require.main === module, process.argv[2])",
            "module.mjs": "import fs from 'node:fs'; console.log(fs.left, await Promise.resolve(left))",
        }
    )
    assert build(box).returncode == 0
    start = (IDENTITY, "--snapshot-blob", "it.blob")
    assert box.run(*start, "file.cjs", "more").stdout == b"{ by: 'the builder' } Uint8Array(2) [ 1, 2 ] true more\n"
    assert box.run(*start, "module.mjs").stdout == b"{ by: 'the builder' } Uint8Array(2) [ 1, 2 ]\n"
    assert box.run(*start, "-p", "left.length").stdout == b"2\n"


def test_builders_are_named_by_a_configuration_or_refused(box: Box) -> None:
    box.write({"entry.cjs": "globalThis.a = 1", "c.json": json.dumps({"builder": "entry.cjs"}), "d.json": "{}"})
    assert box.run(IDENTITY, "--build-snapshot-config", "c.json").returncode == 0
    assert (box.folder / "snapshot.blob").is_file()
    refused = box.run(IDENTITY, "--build-snapshot-config", "d.json")
    assert (refused.returncode, b'"builder" field of d.json is not a non-empty string' in refused.stderr) == (1, True)
    unnamed = box.run(IDENTITY, "--build-snapshot", "-")
    assert (unnamed.returncode, b"--build-snapshot must be used with an entry point script" in unnamed.stderr) == (
        9,
        True,
    )
    missing = box.run(IDENTITY, "--build-snapshot-config", "none.json")
    assert (missing.returncode, b"Cannot read snapshot configuration from none.json" in missing.stderr) == (1, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("throw new Error('no snapshot')", "no snapshot"),
        ("new (require('worker_threads').Worker)('1', { eval: true })", "ERR_NOT_SUPPORTED_IN_SNAPSHOT"),
        ("require('v8').queryObjects(Object)", "ERR_NOT_SUPPORTED_IN_SNAPSHOT"),
        ("require('v8').writeHeapSnapshot()", "ERR_NOT_SUPPORTED_IN_SNAPSHOT"),
        ("new (require('inspector').Session)().connect()", "ERR_NOT_SUPPORTED_IN_SNAPSHOT"),
        (
            "const { setDeserializeMainFunction: set } = require('v8').startupSnapshot; set(() => {}); set(() => {})",
            "ERR_DUPLICATE_STARTUP",
        ),
        ("process.exit(3)", ""),
    ],
)
def test_a_builder_that_fails_leaves_no_file(box: Box, text: str, says: str) -> None:
    box.write({"entry.cjs": text})
    result = build(box)
    assert result.returncode == (3 if not says else 1)
    assert says in result.stderr.decode()
    assert not (box.folder / "it.blob").exists()


def test_a_heap_that_cannot_be_used_is_refused(box: Box) -> None:
    box.write({"entry.cjs": "", "bad.blob": "no heap"})
    for name, text in (("none.blob", b"Cannot open"), ("bad.blob", b"Failed to load the startup snapshot")):
        result = box.run(IDENTITY, "--snapshot-blob", name, "-p", "1")
        assert (result.returncode, text in result.stderr) == (14, True)
    assert build(box, "--harmony").returncode == 0
    assert box.run(IDENTITY, "--snapshot-blob", "it.blob", "-p", "1").returncode == 14
    assert box.run(IDENTITY, "--harmony", "--snapshot-blob", "it.blob", "-p", "1").stdout == b"1\n"


API = """
const { startupSnapshot } = require('node:v8');
console.log(Object.entries(startupSnapshot).map(([name, value]) => [name, value.length]));
for (const name of ['addSerializeCallback', 'addDeserializeCallback', 'setDeserializeMainFunction']) {
  try { startupSnapshot[name](() => {}); } catch (error) { console.log(name, error.code, error.message); }
}
"""


def test_other_programs_cannot_arrange_anything(box: Box) -> None:
    box.write({"a.cjs": API})
    result = box.run(IDENTITY, "a.cjs").stdout
    assert result.count(b"ERR_NOT_BUILDING_SNAPSHOT") == 3
    expected = subprocess.run([peers.node(), "a.cjs"], cwd=box.folder, capture_output=True, check=True).stdout
    assert result == expected
