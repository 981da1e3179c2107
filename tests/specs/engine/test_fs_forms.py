"""The forms of node:fs: their promisified versions, argument validation, and streams that programs patch."""

from __future__ import annotations

from rig import Box


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": "const fs = require('fs'); const { promisify } = require('util');\n" + body})
    return box.run("a.cjs").stdout.decode().splitlines()


def test_promisified_forms_have_named_results(box: Box) -> None:
    assert run(
        box,
        """
        fs.writeFileSync('f', 'text');
        const fd = fs.openSync('f', 'r+');
        (async () => {
          const read = await promisify(fs.read)(fd, Buffer.alloc(4), 0, 4, 0);
          console.log(Object.keys(read).join(), read.bytesRead, String(read.buffer));
          console.log(Object.keys(await promisify(fs.write)(fd, 'more')).join());
          console.log(Object.keys(await promisify(fs.readv)(fd, [Buffer.alloc(1)], 0)).join());
          console.log(Object.keys(await promisify(fs.writev)(fd, [Buffer.alloc(1)], 0)).join());
          console.log(Object.keys(await promisify(require('dns').lookup)('127.0.0.1')).join());
        })();
        """,
    ) == [
        "bytesRead,buffer 4 text",
        "bytesWritten,buffer",
        "bytesRead,buffers",
        "bytesWritten,buffers",
        "address,family",
    ]


def test_arguments_rejected_before_the_operation(box: Box) -> None:
    assert run(
        box,
        """
        const calls = [
          () => fs.fchmod(1, '123x'),
          () => fs.read(0, new Uint8Array(), 0, 10, 0, () => {}),
          () => fs.read(0, Buffer.alloc(1), 0, -1, 0, () => {}),
          () => fs.read(0, Buffer.alloc(1), 0, 1, 2n ** 63n, () => {}),
          () => fs.rmdirSync('x', { recursive: true }),
          () => fs.symlinkSync('x', 'y', 'other'),
          () => fs.readFileSync(new URL('file:///a%2Fb')),
          () => fs.readFileSync(new URL('file://elsewhere/b')),
          () => fs.rmSync('/'),
        ];
        for (const call of calls) try { console.log(call()); } catch (error) { console.log(error.code, error.message); }
        console.log(fs.readSync(fs.openSync(__filename), Buffer.alloc(1), 0, 1, 2n ** 63n - 2n));
        """,
    ) == [
        "ERR_INVALID_ARG_VALUE The argument 'mode' must be a 32-bit unsigned integer or an octal string. Received '123x'",
        "ERR_INVALID_ARG_VALUE The argument 'buffer' is empty and cannot be written. Received Uint8Array(0) []",
        'ERR_OUT_OF_RANGE The value of "length" is out of range. It must be >= 0. Received -1',
        'ERR_OUT_OF_RANGE The value of "position" is out of range. It must be >= -1 && <= 9223372036854775806. '
        "Received 9_223_372_036_854_775_808n",
        "ERR_INVALID_ARG_VALUE The property 'options.recursive' is no longer supported. Received true",
        "ERR_INVALID_ARG_VALUE The argument 'type' must be one of: 'dir', 'file', 'junction', null, undefined. Received 'other'",
        "ERR_INVALID_FILE_URL_PATH File URL path must not include encoded / characters",
        'ERR_INVALID_FILE_URL_HOST File URL host must be "localhost" or empty on linux',
        "ERR_FS_EISDIR Path is a directory: rm returned EISDIR (is a directory) /",
        "0",
    ]


def test_streams_use_functions_that_programs_replace(box: Box) -> None:
    assert run(
        box,
        """
        // As graceful-fs does: `open` of a stream's class opens in its own way and tells with an event.
        class Patched extends fs.ReadStream {
          open() {
            fs.open(this.path, this.flags, this.mode, (error, fd) => {
              this.fd = fd;
              this.emit('open', fd);
            });
          }
        }
        new Patched(__filename, { end: 4 }).on('data', (data) => console.log(String(data))).on('close', async () => {
          const handle = await fs.promises.open('out', 'w');
          const write = handle.write;
          handle.write = function (...args) { console.log('write'); return write.apply(this, args); };
          handle.createWriteStream().end('text').on('close', () => {
            console.log(fs.readFileSync('out', 'utf8'), handle.fd);
            const pieces = [];
            const own = { open: fs.open, close: fs.close, writev(fd, list, at, done) { pieces.push(list.length); fs.writev(fd, list, at, done); } };
            const stream = fs.createWriteStream('parts', { fs: own });
            for (const piece of ['a', 'b', 'c']) stream.write(piece);
            stream.end().on('close', () => console.log(pieces.join(), fs.readFileSync('parts', 'utf8'), stream.bytesWritten));
          });
        });
        """,
    ) == ["const", "write", "text -1", "3 abc 3"]


def test_read_takes_no_options_as_all_defaults(box: Box) -> None:
    assert run(
        box,
        """
        fs.writeFileSync('f', 'text');
        const fd = fs.openSync('f');
        fs.read(fd, null, (error, count) => {
          console.log(error, count);
          try { fs.read(fd, { buffer: null }, () => {}); } catch (problem) { console.log(problem.code); }
          try { fs.read(fd, 1, () => {}); } catch (problem) { console.log(problem.code); }
        });
        """,
    ) == ["null 4", "ERR_INVALID_ARG_TYPE", "ERR_INVALID_ARG_TYPE"]


def test_real_paths_of_links_that_lead_nowhere(box: Box) -> None:
    assert run(
        box,
        """
        fs.symlinkSync('none', 'dangling');
        fs.symlinkSync('b', 'a');
        fs.symlinkSync('a', 'b');
        const here = fs.realpathSync('.');
        for (const path of ['dangling', 'a', 'none/x'])
          try { fs.realpathSync(path); } catch (error) { console.log(error.code, error.syscall, error.path.slice(here.length + 1)); }
        const { status, stdout } = require('child_process').spawnSync(process.execPath,
          ['-e', 'console.log(fs.realpathSync("/dev/stdin").replace(/\\\\d+/g, "N"))'], { input: '' });
        console.log(status, String(stdout).trim().replace('socket', 'pipe'));
        """,
    ) == ["ENOENT stat dangling", "ELOOP stat a", "ENOENT lstat none", "0 /proc/N/fd/pipe:[N]"]
