"""Standard streams as node streams: order with the console, large amounts, backpressure, pausing; and streams of
RT.file.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from rig import PATIENCE_S, Box


def outcome(box: Box, source: str, given: bytes = b"", *arguments: str) -> tuple[bytes, bytes, int]:
    Path(box.folder, "a.mjs").write_text(source)
    process = box.start("a.mjs", *arguments, stdin=subprocess.PIPE)
    out, err = process.communicate(given, timeout=PATIENCE_S * 4)
    return out, err, process.returncode


def test_writes_keep_their_order_with_the_console(box: Box) -> None:
    source = """
        process.stdout.write('a\\n');
        console.log('b');
        process.stdout.write(Buffer.from('c\\n'));
        process.stdout.write('6466', 'hex');
        process.stdout.cork();
        process.stdout.write('1');
        process.stdout.write('2\\n', () => console.log('written'));
        console.log('before');
        process.stdout.uncork();
        process.stdout.end('last\\n', () => console.error('ended', process.stdout.writableFinished));
        process.stdout.on('close', () => console.error('closed'));
        console.log('still there');
        """
    out, err, status = outcome(box, source)
    assert out == b"a\nb\nc\ndfbefore\n12\nlast\nstill there\nwritten\n"
    assert err == b"ended true\nclosed\n"
    assert status == 0


def test_much_passes_through_unchanged(box: Box) -> None:
    data = os.urandom(1 << 20) * 20
    out, err, status = outcome(box, "process.stdin.pipe(process.stdout);", data)
    assert (hashlib.sha256(out).digest(), err, status) == (hashlib.sha256(data).digest(), b"", 0)


def test_a_file_as_standard_input(box: Box) -> None:
    path = Path(box.folder, "in.txt")
    path.write_text("one\ntwo\n")
    Path(box.folder, "a.mjs").write_text(
        "for await (const c of process.stdin.setEncoding('utf8')) console.log(JSON.stringify(c), process.stdin.bytesRead);"
    )
    with path.open("rb") as file:
        result = box.run("a.mjs", stdin=file)
    assert (result.stdout, result.returncode) == (b'"one\\ntwo\\n" 8\n', 0)


def test_reading_by_hand(box: Box) -> None:
    source = """
        process.stdin.on('readable', () => {
          for (let c; (c = process.stdin.read(3)) !== null;) console.log(String(c));
        });
        process.stdin.on('end', () => console.log('end', process.stdin.readableEnded));
        process.stdin.on('close', () => console.log('close', process.stdin.destroyed));
        """
    assert outcome(box, source, b"abcdefgh") == (b"abc\ndef\ngh\nend true\nclose true\n", b"", 0)


def test_paused_input_ends_the_program_and_the_rest_can_be_read_later(box: Box) -> None:
    Path(box.folder, "a.mjs").write_text("""
        process.stdin.once('data', (d) => {
          console.log('got', String(d));
          process.stdin.pause();
          if (process.argv[2]) setTimeout(() => process.stdin.on('data', (x) => console.log('more', String(x))).resume(), 1);
        });
        """)
    process = box.start("a.mjs", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"one")
    process.stdin.flush()
    assert process.wait(PATIENCE_S) == 0  # with its input still open
    process.stdin.close()
    process = box.start("a.mjs", "again", stdin=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(b"one")
    process.stdin.flush()
    assert process.stdout.readline() == b"got one\n"
    process.stdin.write(b"two")
    process.stdin.close()
    assert process.stdout.read() == b"more two\n"
    assert process.wait(PATIENCE_S) == 0


def test_a_reader_that_goes_away_ends_it_quietly(box: Box) -> None:
    source = "function more() { while (process.stdout.write('y\\n'.repeat(1000))); process.stdout.once('drain', more); } more();"
    Path(box.folder, "a.mjs").write_text(source)
    process = box.start("a.mjs")
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.read(4) == b"y\ny\n"
    process.stdout.close()
    assert process.wait(PATIENCE_S) == 0
    assert process.stderr.read() == b""


def test_files_of_the_runtime_as_streams(box: Box) -> None:
    Path(box.folder, "data").write_bytes(bytes(range(256)) * 4096)
    source = """
        const bytes = async (stream) => { let n = 0; for await (const c of stream) n += c.length; return n; };
        const file = RT.file('data');
        console.log(await bytes(file.stream()), await bytes(file.slice(10, 20).stream()), await bytes(RT.stdin.stream()));
        const reader = file.slice(65).stream().getReader({ mode: 'byob' });
        console.log(new TextDecoder().decode((await reader.read(new Uint8Array(3))).value));
        await reader.cancel();
        await RT.file('none').stream().getReader().read().catch((e) => console.log(e.code));
        const { FileHandle } = (await import('node:fs')).promises;
        void FileHandle;
        const handle = await (await import('node:fs/promises')).open('data');
        console.log(await bytes(handle.readableWebStream()), handle.fd >= 0);
        await handle.close();
        await (await import('node:fs/promises')).writeFile('lines', 'a\\nb\\n');
        for await (const line of (await (await import('node:fs/promises')).open('lines')).readLines()) console.log(line);
        """
    out, err, status = outcome(box, source, b"given")
    assert (out, err, status) == (b"1048576 10 5\nABC\nENOENT\n1048576 true\na\nb\n", b"", 0)
