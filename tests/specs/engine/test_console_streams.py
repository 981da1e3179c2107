"""The console and the streams it writes to, and code given on the command line."""

from __future__ import annotations

from rig import Box


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": body})
    return box.run("a.cjs").stdout.decode().splitlines()


def test_a_program_sees_what_the_console_prints(box: Box) -> None:
    """Test reporters and spinners temporarily replace process.stdout.write."""
    assert run(
        box,
        """
        const seen = [];
        const { write } = process.stdout;
        process.stdout.write = (text) => seen.push(text) > 0;
        process.stderr.write = (text) => seen.push(text) > 0;
        console.log('one', 1); console.error('two'); console.count();
        process.stdout.write = () => { throw new Error('nobody hears'); };
        console.log('lost');
        process.stdout.write = write;
        console.log(JSON.stringify(seen));
        """,
    ) == [r'["one 1\n","two\n","default: 1\n"]']


def test_a_console_ignores_what_its_stream_cannot_write(box: Box) -> None:
    assert run(
        box,
        """
        const { Console } = require('console');
        const { Writable } = require('stream');
        for (const fail of [(done, error) => done(error), (done, error) => process.nextTick(done, error)]) {
          const own = new Console(new Writable({ write: (chunk, encoding, done) => fail(done, new Error('full')) }));
          own.log('text');
          console.log(own instanceof Console, console instanceof Console, {} instanceof Console);
        }
        process.on('exit', () => console.log('alive'));
        """,
    ) == ["true true false", "true true false", "alive"]


def test_errors_are_compared_without_their_stacks(box: Box) -> None:
    assert run(
        box,
        """
        const assert = require('assert');
        const error = (cause) => new Error('same', { cause });
        try { assert.deepStrictEqual(error(new Error('x')), error(new TypeError('y'))); } catch ({ message }) { console.log(message); }
        """,
    )[2:] == ["", "  [Error: same] {", "+   [cause]: [Error: x]", "-   [cause]: [TypeError: y]", "  }", ""]


def test_code_of_the_command_line_has_the_built_in_modules(box: Box) -> None:
    code = "console.log(os.EOL === '\\n', typeof fs.statSync, typeof assert.ok, Object.keys(globalThis).includes('fs')); fs = 1; console.log(fs)"
    assert box.run("-e", code).stdout == b"true function function false\n1\n"
    assert box.run("-p", "path.join('a', 'b')").stdout == b"a/b\n"
    box.write({"a.cjs": "console.log(typeof fs)"})
    assert box.run("a.cjs").stdout == b"undefined\n"


def test_streams_that_are_not_read_yet(box: Box) -> None:
    assert run(
        box,
        """
        (async () => {
          const stream = new CompressionStream('gzip');
          const writer = stream.writable.getWriter();
          await writer.write(new TextEncoder().encode('text').buffer);
          writer.close();
          console.log(await new Response(stream.readable.pipeThrough(new DecompressionStream('gzip'))).text());
          const file = await require('fs/promises').open(__filename);
          const reader = file.readableWebStream().getReader();
          await file.close();
          await reader.closed;
          console.log('closed', require('util').inspect(new TextDecoderStream()).split('\\n')[1]);
        })();
        """,
    ) == ["text", "closed   encoding: 'utf-8',"]


def test_keys_are_compared_by_what_they_hold(box: Box) -> None:
    assert run(
        box,
        """
        const { createSecretKey } = require('crypto');
        const { isDeepStrictEqual } = require('util');
        const key = (text) => ({ key: createSecretKey(Buffer.from(text)) });
        console.log(isDeepStrictEqual(key('one'), key('one')), isDeepStrictEqual(key('one'), key('two')));
        const imported = (usage) => crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-CBC', true, [usage]);
        Promise.all([imported('encrypt'), imported('encrypt'), imported('decrypt')]).then(([one, same, other]) =>
          console.log(isDeepStrictEqual(one, same), isDeepStrictEqual(one, other)));
        """,
    ) == ["true false", "true false"]


def test_the_environment_can_be_cloned(box: Box) -> None:
    assert run(
        box,
        """
        process.env.SOME = 'text'; process.env[''] = 'nothing';
        const copy = structuredClone(process.env);
        copy.SOME = 'other';
        console.log(process.env.SOME, process.env[''], Object.keys(copy).includes('SOME'));
        """,
    ) == ["text undefined true"]
