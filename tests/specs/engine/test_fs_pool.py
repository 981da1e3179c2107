"""node:fs beside the loop: waiting operations do not block others, and pending ones complete before the program ends."""

from __future__ import annotations

import os

import pytest
from rig import Box


@pytest.mark.parametrize(
    "read",
    [
        "fs.promises.readFile('fifo', 'utf8').then(console.log)",
        "fs.readFile('fifo', 'utf8', (error, text) => console.log(text))",
        "fs.createReadStream('fifo').on('data', (data) => console.log(String(data)))",
        "fs.promises.open('fifo').then(async (file) => { console.log((await file.read()).buffer.toString('utf8', 0, 4)); await file.close(); })",
    ],
)
def test_a_slow_file_stops_no_timer(box: Box, read: str) -> None:
    """The file is written only after the timer has run: a loop that blocked on the file would never run it."""
    os.mkfifo(box.folder / "fifo")
    box.write(
        {
            "a.cjs": f"""
                const fs = require('fs');
                {read};
                setTimeout(() => {{ console.log('timer'); require('child_process').exec('echo text > fifo'); }}, 1);
            """
        }
    )
    assert box.run("a.cjs").stdout.split() == [b"timer", b"text"]


def test_an_aborted_read_is_reported_at_once(box: Box) -> None:
    os.mkfifo(box.folder / "fifo")
    box.write(
        {
            "a.cjs": """
                const fs = require('fs');
                const controller = new AbortController();
                fs.promises.readFile('fifo', { signal: controller.signal }).catch((error) => {
                  console.log(error.name, error.code);
                  require('child_process').exec('echo text > fifo'); // else the end waits for it
                });
                setImmediate(() => controller.abort());
            """
        }
    )
    assert box.run("a.cjs").stdout == b"AbortError ABORT_ERR\n"


def test_exit_waits_for_what_was_begun(box: Box) -> None:
    box.write(
        {
            "a.cjs": """
                const fs = require('fs');
                for (let i = 0; i < 50; i++) fs.writeFile(`f${i}`, `${i}`, () => {});
                setImmediate(() => process.exit(3));
            """
        }
    )
    assert box.run("a.cjs").returncode == 3
    assert [(box.folder / f"f{i}").read_text() for i in range(50)] == [str(i) for i in range(50)]


def test_a_rewritten_file_contains_only_new_data(box: Box) -> None:
    box.write({"long": "a long text of before", "same": "1234", "empty": "text"})
    box.write(
        {
            "a.mjs": """
                import fs from 'node:fs';
                fs.writeFileSync('long', 'short');
                await fs.promises.writeFile('same', '5678');
                fs.writeFileSync('empty', '');
                fs.writeFileSync('new', 'made', { mode: 0o600 });
                fs.writeFileSync('long', '+', { flag: 'a' });
                fs.writeFileSync('same', 'ab', { flag: 'r+' });
                for (const name of ['long', 'same', 'empty', 'new']) console.log(name, JSON.stringify(fs.readFileSync(name, 'utf8')));
                console.log((fs.statSync('new').mode & 0o777).toString(8));
            """
        }
    )
    expected = b'long "short+"\nsame "ab78"\nempty ""\nnew "made"\n600\n'
    assert box.run("a.mjs").stdout == expected


def test_an_unused_handle_is_closed(box: Box) -> None:
    box.write({"data": "some text"})
    box.write(
        {
            "a.mjs": """
                import { open } from 'node:fs/promises';
                const file = await open('data');
                const reads = [file.read(Buffer.alloc(4), 0, 4, 0), file.readFile('utf8')];
                const closed = file.close();
                console.log((await reads[0]).buffer.toString(), await reads[1]);
                await closed;
                console.log(file.fd, await file.stat().catch((error) => error.code));
            """
        }
    )
    assert box.run("a.mjs").stdout == b"some some text\n-1 EBADF\n"


def test_names_that_are_not_utf_8(box: Box) -> None:
    os.mkdir(os.fsencode(box.folder) + b"/d")
    with open(os.fsencode(box.folder) + b"/d/\xff\xfe", "w") as file:
        file.write("found")
    box.write(
        {
            "a.cjs": """
                const fs = require('fs');
                const [name] = fs.readdirSync('d', 'buffer');
                console.log(name.toString('hex'), fs.readFileSync(Buffer.concat([Buffer.from('d/'), name]), 'utf8'));
            """
        }
    )
    assert box.run("a.cjs").stdout == b"fffe found\n"


def test_errors_of_promises_show_the_awaiting_functions(box: Box) -> None:
    box.write(
        {
            "a.mjs": """
                import fs from 'node:fs/promises';
                async function look() { await fs.stat('none'); }
                await look().catch((error) => console.log(error.message, / look .*a.mjs:3/.test(error.stack), Object.keys(error).join()));
            """
        }
    )
    expected = b"ENOENT: no such file or directory, stat 'none' true errno,code,syscall,path\n"
    assert box.run("a.mjs").stdout == expected
