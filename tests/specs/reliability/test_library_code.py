"""V8's code cache for the runtime's files: stored for later programs, and never an obstacle."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rig import Box

PROGRAM = """
const zlib = require('node:zlib'), { Readable } = require('node:stream'), fs = require('node:fs'), url = require('node:url');
const text = 'a'.repeat(99);
console.log(zlib.gunzipSync(zlib.gzipSync(text)).toString() === text, fs.readdirSync('.').includes('main.cjs'));
console.log(require('node:util').inspect(new Map([[1, { a: [1] }]])), url.parse('http://a/b?c').search);
Readable.from(['x']).on('data', (data) => console.log(data)).on('end', () => console.log(zlib.gzipSync.toString().length > 20));
"""
PRINTED = b"true true\nMap(1) { 1 => { a: [ 1 ] } } ?c\nx\ntrue\n"
OTHER = "console.log(require('node:dns').promises !== undefined, require('node:readline').clearLine.length)"


@pytest.fixture
def program(box: Box) -> Box:
    box.write({"main.cjs": PROGRAM, "other.cjs": OTHER})
    return box


def run(box: Box, *words: str) -> None:
    done = box.run(*(words or ["main.cjs"]))
    assert (done.returncode, done.stdout, done.stderr) == (0, PRINTED, b"")


def code_file(box: Box) -> Path:
    (path,) = box.cache.glob("rt/v8/*/*.code")
    return path


def test_code_is_cached_once_and_extended(program: Box) -> None:
    run(program)
    path = code_file(program)
    assert path.stat().st_mode & 0o777 == 0o600
    run(program)  # the second start of a file may use a cached start, which is another road to the program
    run(program)
    first = path.stat()
    run(program)
    assert path.stat() == first  # nothing was compiled
    assert program.run("other.cjs").stdout == b"true 3\n"
    second = path.stat()
    assert second.st_ino != first.st_ino and second.st_size > first.st_size
    run(program)
    assert path.stat() == second


def test_code_belongs_to_the_flags_of_v8(program: Box) -> None:
    run(program)
    run(program, "--smol", "main.cjs")
    assert len(list(program.cache.glob("rt/v8/*/*.code"))) == 2
    run(program)


def test_each_byte_of_code_is_checked(program: Box) -> None:
    run(program)
    path = code_file(program)
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 2, len(data), 997):
        data[place] ^= 0xFF
    path.write_bytes(data)
    run(program)


def test_without_writable_folders_programs_run_as_usual(program: Box) -> None:
    run(program)
    code_file(program).unlink()
    done = program.in_bash("ulimit -f 64; $RT main.cjs | cat")  # as on a full disk
    assert (done.stdout, done.stderr) == (PRINTED, b"")
    assert not list(program.cache.glob("rt/v8/*/*.code")) and not list(program.cache.glob("rt/v8/*/.*draft"))
    if os.geteuid() == 0:
        return  # may write everywhere
    folder = next(program.cache.glob("rt/v8/*"))
    folder.chmod(0o500)
    run(program)
    folder.chmod(0o700)


def test_many_programs_end_at_once(program: Box) -> None:
    run(program)
    for _ in range(3):
        code_file(program).unlink()
        started = [program.start(name) for name in ("main.cjs", "other.cjs") * 3]
        printed = {process.communicate()[0] for process in started}
        assert printed == {PRINTED, b"true 3\n"}
        run(program)
    assert not list(program.cache.glob("rt/v8/*/.*draft"))
