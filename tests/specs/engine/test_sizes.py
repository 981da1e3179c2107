"""Requests of any size succeed or throw an error that the program can catch; none ends the process."""

from __future__ import annotations

import json

import pytest
from rig import Box

LONGEST = 536870888
TOO_LONG = f"Error ERR_STRING_TOO_LONG Cannot create a string longer than 0x{LONGEST:x} characters"
TOO_LARGE = "RangeError ERR_FS_FILE_TOO_LARGE File size ({}) is greater than 2 GiB"

PROGRAM = """
const cases = JSON.parse(process.argv[2]);
for (const code of cases) {
  let answer;
  try { answer = String(eval(code)); }
  catch (error) { answer = `${error.name} ${error.code ?? ''} ${error.message}`; }
  console.log(answer);
}
"""


def answers(box: Box, *cases: str) -> list[str]:
    box.write({"sizes.cjs": PROGRAM})
    done = box.run("sizes.cjs", json.dumps(cases))
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def test_buffers_beyond_2_gib(box: Box) -> None:
    size = 2**31
    assert answers(
        box,
        f"const a = new Uint8Array({size}); a[{size - 1}] = 7; a.at(-1) + a.length",
        f"new Uint8Array({size} - 65536).length",
        f"new ArrayBuffer({2**32}).byteLength",
        f"new SharedArrayBuffer({2**32}).byteLength",
        f"new Float64Array({2**29}).length",
        f"Buffer.alloc({size}).length",
        f"Buffer.allocUnsafeSlow({size} + 1).length",
        f"const b = Buffer.alloc(100); Buffer.concat([b], {size}).length",
        f"new ArrayBuffer(10, {{ maxByteLength: {size} }}).maxByteLength",
        "let freed = 0; for (let i = 0; i < 40; i++) freed += new Uint8Array(2 ** 32).length; freed",
    ) == [
        str(size + 7),
        str(size - 65536),
        str(2**32),
        str(2**32),
        str(2**29),
        str(size),
        str(size + 1),
        str(size),
        str(size),
        str(40 * 2**32),
    ]


ALLOCATING = (
    "new ArrayBuffer({})",
    "new SharedArrayBuffer({})",
    "new Uint8Array({})",
    "new Float64Array({})",
    "new ArrayBuffer(8).transfer({})",
    "Buffer.alloc({})",
    "Buffer.alloc({}, 'ab')",
    "Buffer.allocUnsafe({})",
    "Buffer.allocUnsafeSlow({})",
    "Buffer.concat([Buffer.alloc(1)], {})",
    "new Uint8Array(new ArrayBuffer(8, {{ maxByteLength: 8 }}), 0, {})",
    "require('buffer').SlowBuffer?.({})",
    "new WebAssembly.Memory({{ initial: {} }})",
    "'x'.repeat({})",
)


@pytest.mark.parametrize("size", [2**40, 2**47, 2**53 - 1, 2**53, 1e300, -1])
def test_no_size_ends_the_process(box: Box, size: float) -> None:
    cases = [f"void {form.format(int(size))}" for form in ALLOCATING]
    for case, answer in zip(cases, answers(box, *cases), strict=True):
        assert answer == "undefined" or answer.split()[0] in ("RangeError", "TypeError", "Error"), case


def test_text_longer_than_a_string(box: Box) -> None:
    half, whole = LONGEST // 2 + 1, LONGEST + 1
    refused = [
        f"Buffer.alloc({half}).toString('hex')",
        f"Buffer.alloc({LONGEST * 3 // 4 + 3}).toString('base64')",
        f"Buffer.alloc({LONGEST * 3 // 4 + 3}).toString('base64url')",
        f"Buffer.alloc({whole}).toString('latin1')",
        f"Buffer.alloc({whole}).toString('ascii')",
        f"Buffer.alloc({whole}).toString()",
        f"Buffer.alloc({2 * whole}).toString('ucs2')",
        f"Buffer.alloc({half}).hexSlice()",
        f"Buffer.alloc({whole}).latin1Slice()",
        f"new TextDecoder().decode(new Uint8Array({whole}))",
        f"new (require('string_decoder').StringDecoder)('utf8').write(Buffer.alloc({whole}))",
        f"new (require('string_decoder').StringDecoder)('hex').write(Buffer.alloc({half}))",
    ]
    assert answers(box, *refused) == [TOO_LONG] * len(refused)


def test_text_that_just_fits(box: Box) -> None:
    assert answers(
        box,
        f"Buffer.alloc({LONGEST}).toString('latin1').length",
        f"Buffer.alloc({LONGEST // 2}).toString('hex').length",
        f"Buffer.alloc({2 * LONGEST}).toString('utf16le').length",
        "Buffer.from('é'.repeat(300000000)).toString().length",
    ) == [str(LONGEST), str(LONGEST), str(LONGEST), "300000000"]


def test_files_that_are_too_large(box: Box) -> None:
    for name, size in (("three", 3 << 30), ("one", 1 << 30)):
        (box.folder / name).touch()
        with (box.folder / name).open("r+b") as file:
            file.truncate(size)
    size = 3 << 30
    assert answers(
        box,
        "require('fs').readFileSync('three')",
        "require('fs').readFileSync('three', 'utf8')",
        "require('fs').readFileSync('three', 'latin1')",
        "require('fs').readFileSync('one').length",
        "require('fs').readFileSync('one', 'utf8')",
        "require('fs').readFileSync('one', 'latin1')",
    ) == [TOO_LARGE.format(size), TOO_LONG, TOO_LARGE.format(size), str(1 << 30), TOO_LONG, TOO_LONG]


def test_bytes_of_any_length_decode_alike(box: Box) -> None:
    """Long ranges are decoded natively, short ones by JavaScript."""
    program = """
    const { Buffer } = require('buffer');
    const bytes = Buffer.from(Array.from({ length: 700 }, (_, index) => (index * 37 + (index >> 3)) & 255));
    for (const encoding of ['hex', 'base64', 'base64url', 'latin1', 'ascii', 'ucs2'])
      for (let length = 0; length < 300; length++) {
        const step = encoding.startsWith('base64') ? 48 : 32;
        let expected = '';
        for (let at = 0; at < length; at += step) expected += bytes.toString(encoding, 3 + at, 3 + Math.min(at + step, length));
        const found = bytes.toString(encoding, 3, 3 + length);
        if (found !== expected) throw new Error(`${encoding} ${length}: ${found} ${expected}`);
      }
    console.log('same');
    """
    box.write({"same.cjs": program})
    done = box.run("same.cjs")
    assert (done.stdout, done.stderr) == (b"same\n", b"")


def test_files_without_an_end(box: Box) -> None:
    """/dev/zero and similar devices: an error once the maximum file size is exceeded; a package.json that is a
    device is ignored.
    """
    box.write({"node_modules/p/index.js": ""})
    (box.folder / "node_modules/p/package.json").symlink_to("/dev/zero")
    assert answers(
        box,
        "fs = require('fs'); fs.readFileSync('/dev/zero')",
        "process.loadEnvFile('/dev/zero')",
        "typeof require('p')",
    ) == [TOO_LARGE.format(2**31), TOO_LONG, "object"]
    read = "require('fs/promises').open('/dev/zero').then((file) => file.readFile())"
    box.write({"b.js": f"{read}.catch((error) => console.log(error.code))"})
    assert box.run("b.js").stdout == b"ERR_FS_FILE_TOO_LARGE\n"
    with open("/dev/zero", "rb") as zeros:
        done = box.run("-", stdin=zeros)
    assert (done.returncode, done.stderr) == (1, b"error: cannot read standard input: larger than 512 MiB\n")
    box.write({"tsconfig.json": {"extends": "/dev/zero"}, "a.ts": "console.log('ran' as string)"})
    assert box.run("a.ts").stdout == b"ran\n"
