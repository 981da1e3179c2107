"""fs.Utf8Stream: writes of a log are buffered, flushed on demand, and continue in another file after reopening."""

from __future__ import annotations

import pytest
from rig import Box

PRELUDE = """
    const fs = require('fs');
    const say = (...words) => process.stdout.write(`${words.join(' ')}\\n`);
"""


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": PRELUDE + body})
    return box.run("a.cjs").stdout.decode().splitlines()


@pytest.mark.parametrize("sync", ["true", "false"])
def test_text_is_gathered_until_there_is_enough(box: Box, sync: str) -> None:
    assert run(
        box,
        f"""
        const stream = new fs.Utf8Stream({{ dest: 'log', sync: {sync}, minLength: 100, maxLength: 150 }});
        stream.on('drop', (text) => say('dropped', text.length)).on('write', (count) => say('wrote', count));
        stream.on('ready', () => {{
          stream.write('one ');
          stream.write('zwei ü ');
          say(fs.readFileSync('log').length, stream.write('x'.repeat(200)));
          stream.flush((error) => {{
            say(error, fs.readFileSync('log', 'utf8'));
            stream.write('end');
            stream.end();
          }});
        }});
        stream.on('finish', () => say('finish', fs.readFileSync('log', 'utf8'))).on('close', () => say('close'));
        """,
    ) == ["dropped 200", "0 true", "wrote 12", " one zwei ü ", "wrote 3", "finish one zwei ü end", "close"]


@pytest.mark.parametrize("sync", ["true", "false"])
def test_a_log_that_is_moved_away(box: Box, sync: str) -> None:
    assert run(
        box,
        f"""
        const stream = new fs.Utf8Stream({{ dest: 'folder/log', mkdir: true, sync: {sync} }});
        stream.write('before');
        stream.once('drain', () => {{
          fs.renameSync('folder/log', 'folder/old');
          stream.reopen();
          stream.once('drain', () => {{ stream.write('after'); stream.end(); }});
        }});
        stream.on('finish', () => say(fs.readFileSync('folder/old', 'utf8'), fs.readFileSync('folder/log', 'utf8')));
        """,
    ) == ["before after"]


@pytest.mark.parametrize("sync", ["true", "false"])
def test_a_partial_write(box: Box, sync: str) -> None:
    """A split character is written again as a whole; a write to a busy file is retried once."""
    assert run(
        box,
        f"""
        const answers = [() => 4, () => {{ throw Object.assign(new Error('busy'), {{ code: 'EAGAIN' }}); }}];
        const own = {{
          writeSync(fd, text) {{ say(text); return answers.length > 0 ? answers.shift()() : fs.writeSync(fd, text); }},
          write(fd, text, encoding, done) {{
            try {{ const count = own.writeSync(fd, text); process.nextTick(done, null, count); }} catch (error) {{ process.nextTick(done, error); }}
          }},
        }};
        const stream = new fs.Utf8Stream({{ dest: 'log', sync: {sync}, fs: own, retryEAGAIN: (error, now, later) => (say(error.code, now, later), true) }});
        stream.on('ready', () => {{ stream.write('abc中def'); stream.end(); }});
        """,
    ) == ["abc中def", "中def", "EAGAIN 4 0", "中def"]


@pytest.mark.parametrize("mode", ["utf8", "buffer"])
def test_data_that_a_busy_file_rejects_is_retried(box: Box, mode: str) -> None:
    assert run(
        box,
        f"""
        let busy = 2;
        const own = {{ writeSync(...given) {{
          if (busy-- > 0) throw Object.assign(new Error('busy'), {{ code: 'EAGAIN' }});
          return fs.writeSync(...given);
        }} }};
        const as = (text) => ('{mode}' === 'buffer' ? Buffer.from(text) : text);
        const stream = new fs.Utf8Stream({{ fd: 1, sync: true, minLength: 4096, contentMode: '{mode}', fs: own, retryEAGAIN: () => false }});
        stream.write(as('one '));
        stream.write(as('two\\n'));
        for (let i = 0; i < 3; i++) try {{ stream.flushSync(); say('flushed'); }} catch (error) {{ say(error.code); }}
        stream.write(as('three\\n'));
        stream.flushSync();
        """,
    ) == ["EAGAIN", "EAGAIN", "one two", "flushed", "three"]


def test_rejected_input(box: Box) -> None:
    assert run(
        box,
        """
        const bytes = new fs.Utf8Stream({ fd: 1, contentMode: 'buffer' });
        const closed = new fs.Utf8Stream({ fd: 1 });
        closed.destroy();
        for (const call of [
          () => new fs.Utf8Stream({}),
          () => new fs.Utf8Stream({ fd: 1, minLength: 20000 }),
          () => new fs.Utf8Stream({ dest: '/none/of/it', sync: true }),
          () => bytes.write('text'),
          () => bytes.reopen(),
          () => closed.write('text'),
        ]) try { call(); } catch (error) { console.log(error.code); }
        """,
    ) == [
        "ERR_INVALID_ARG_TYPE",
        "ERR_INVALID_ARG_VALUE",
        "ENOENT",
        "ERR_INVALID_ARG_TYPE",
        "ERR_OPERATION_FAILED",
        "ERR_INVALID_STATE",
    ]
