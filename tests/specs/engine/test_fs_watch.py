"""`fs.watch`, `fs.watchFile` and `fs.promises.watch` in a program that makes the watched changes itself, so that
events order it.
"""

from __future__ import annotations

from rig import Box


def output(box: Box, code: str) -> str:
    box.write({"a.cjs": "const fs = require('fs');\n" + code})
    done = box.run("a.cjs")
    assert done.stderr == b""
    return done.stdout.decode()


def test_a_folder_reports_added_removed_and_changed_files(box: Box) -> None:
    said = output(
        box,
        """
        fs.mkdirSync('d');
        const seen = [];
        const watcher = fs.watch('d', (kind, name) => {
          seen.push(`${kind} ${name}`);
          if (seen.at(-1) === 'change x') fs.rmSync('d/x');
          else if (seen.filter((each) => each === 'rename x').length === 2) watcher.close();
        });
        watcher.on('close', () => console.log([...new Set(seen)].join(), seen.at(-1)));
        fs.writeFileSync('d/x', '1');
        """,
    )
    assert said == "rename x,change x rename x\n"


def test_new_folders_are_followed_with_recursive(box: Box) -> None:
    said = output(
        box,
        """
        fs.mkdirSync('d/there', { recursive: true });
        const seen = new Set();
        const watcher = fs.watch('d', { recursive: true }, (kind, name) => {
          seen.add(`${kind} ${name}`);
          if (seen.has('rename new/deep/er') && !fs.existsSync('d/new/deep/er/x')) fs.writeFileSync('d/new/deep/er/x', '1');
          if (seen.has('rename new/deep/er/x') && !fs.existsSync('d/there/y')) fs.writeFileSync('d/there/y', '1');
          if (seen.has('rename there/y')) watcher.close();
        });
        watcher.on('close', () => console.log('closed'));
        fs.mkdirSync('d/new/deep/er', { recursive: true });
        """,
    )
    assert said == "closed\n"


def test_a_file_itself_buffers_signals_and_references(box: Box) -> None:
    said = output(
        box,
        """
        fs.writeFileSync('f', '1');
        fs.watch('.', { persistent: false }, () => {});
        fs.watch('.').unref();
        const control = new AbortController();
        fs.watch('.', { signal: control.signal }).on('close', () => console.log('aborted'));
        control.abort();
        const watcher = fs.watch('f', 'buffer');
        watcher.once('change', (kind, name) => { console.log(kind, name); watcher.close(); });
        fs.appendFileSync('f', '2');
        """,
    )
    assert said == "aborted\nchange <Buffer 66>\n"


def test_errors_are_reported_as_in_node(box: Box) -> None:
    said = output(
        box,
        """
        try { fs.watch('gone') } catch ({ message, code, errno, syscall, path, filename }) { console.log(message, code, errno, syscall, path, filename) }
        for (const args of [[1], ['.', { recursive: 1 }], ['.', { encoding: 'x' }], ['.', 'utf8', 5], ['.', { ignore: [1] }]])
          try { fs.watch(...args) } catch ({ code, message }) { console.log(code, message) }
        """,
    )
    assert said.splitlines() == [
        "ENOENT: no such file or directory, watch 'gone' ENOENT -2 watch gone gone",
        'ERR_INVALID_ARG_TYPE The "path" argument must be of type string or an instance of Buffer or URL. Received type number (1)',
        'ERR_INVALID_ARG_TYPE The "options.recursive" property must be of type boolean. Received type number (1)',
        "ERR_INVALID_ARG_VALUE The argument 'encoding' is invalid encoding. Received 'x'",
        'ERR_INVALID_ARG_TYPE The "listener" argument must be of type function. Received type number (5)',
        'ERR_INVALID_ARG_TYPE The "options.ignore[0]" property must be one of type string or function or an instance of RegExp. Received type number (1)',
    ]


def test_watching_a_file_by_its_status(box: Box) -> None:
    said = output(
        box,
        """
        const listener = (now, before) => {
          console.log(before.size, now.size, now.mtimeMs > 0);
          if (now.size === 0) fs.writeFileSync('f', 'abc');
          else fs.unwatchFile('f', listener);
        };
        fs.watchFile('f', { interval: 5 }, listener);
        """,
    )
    assert said == "0 0 false\n0 3 true\n"


def test_a_watch_of_a_status_stops_once(box: Box) -> None:
    said = output(
        box,
        """
        const watcher = fs.watchFile('f', { interval: 5 }, () => {
          fs.unwatchFile('f');
          watcher.stop();
          watcher.stop();
        });
        watcher.on('stop', () => console.log('stopped'));
        """,
    )
    assert said == "stopped\n"


def test_events_as_an_iterator(box: Box) -> None:
    said = output(
        box,
        """
        (async () => {
          const control = new AbortController();
          const events = fs.promises.watch('.', { signal: control.signal });
          const first = events.next();
          fs.writeFileSync('x', '1');
          console.log((await first).value);
          control.abort();
          try { for await (const event of events); } catch (error) { console.log(error.name, error.code) }
        })();
        """,
    )
    assert said.splitlines() == [
        "{",
        '  eventType: "rename",',
        '  filename: "x",',
        "}",
        "AbortError ABORT_ERR",
    ] or said.startswith("[Object: null prototype]")
