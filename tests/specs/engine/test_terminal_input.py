"""Programs that read a keyboard: readline's output, raw keys, and restored terminal settings at the end."""

from __future__ import annotations

import termios
from pathlib import Path

from rig import Box
from screens import Session


def session(box: Box, source: str, *, columns: int = 40) -> Session:
    Path(box.folder, "a.mjs").write_text(source)
    return Session(box, "a.mjs", columns=columns, rows=12)


def test_a_line_is_edited_and_history_comes_back(box: Box) -> None:
    s = session(
        box,
        """
        import readline from 'node:readline';
        const rl = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: 'you> ' });
        rl.on('line', (line) => { console.log('line', JSON.stringify(line)); if (line === 'bye') rl.close(); else rl.prompt(); });
        rl.on('close', () => console.log('closed', process.stdin.isRaw));
        rl.prompt();
        """,
    )
    s.read_until("you>")
    s.type("hxllo\x1b[D\x1b[D\x1b[D\x7fe\r")
    s.read_until('line "hello"')
    s.read_until("you>")
    s.type("\x1b[A!")
    s.read_until("you> hello!")
    s.type("\r")
    s.read_until('line "hello!"')
    s.type("bye\r")
    assert s.finish() == 0
    assert s.lines == [
        "you> hello",
        'line "hello"',
        "you> hello!",
        'line "hello!"',
        "you> bye",
        'line "bye"',
        "closed false",
    ]


def test_a_line_longer_than_the_screen_is_drawn_on_several_rows(box: Box) -> None:
    s = session(
        box,
        """
        import readline from 'node:readline/promises';
        const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
        console.log(`[${await rl.question('? ')}]`);
        rl.close();
        """,
        columns=10,
    )
    s.read_until("?")
    s.type("abcdefghijklmnop\x01")
    s.read_until("ijklmnop")
    s.type("X")
    s.read_until("? Xabcdefg")
    s.type("\r")
    assert s.finish() == 0
    assert s.lines == ["? Xabcdefg", "hijklmnop", "[Xabcdefgh", "ijklmnop]"]


def test_keys_come_raw_and_the_terminal_is_put_back(box: Box) -> None:
    s = session(
        box,
        """
        import readline from 'node:readline';
        readline.emitKeypressEvents(process.stdin);
        process.stdin.setRawMode(true);
        process.stdin.on('keypress', (text, key) => {
          console.log(`<${key.ctrl ? 'ctrl-' : ''}${key.name}>`);
          if (key.name === 'q') { process.stdin.pause(); }
        });
        console.log('ready', process.stdin.isTTY, process.stdin.isRaw);
        """,
    )
    before = termios.tcgetattr(s.master)
    s.read_until("ready true true")
    s.type("\x03\x1b[Aq")
    s.read_until("<q>")
    assert s.finish() == 0
    assert s.lines == ["ready true true", "<ctrl-c>", "<up>", "<q>"]
    assert before[3] & termios.ICANON


def test_ctrl_c_ends_a_question(box: Box) -> None:
    s = session(
        box,
        """
        import readline from 'node:readline/promises';
        const rl = readline.createInterface({ input: process.stdin, output: process.stdout });
        await rl.question('sure? ').catch((error) => console.log('\\n' + error.code));
        """,
    )
    s.read_until("sure?")
    s.type("y\x03")
    assert s.finish() == 0
    assert s.lines == ["sure? y", "ABORT_ERR"]


def test_completion(box: Box) -> None:
    s = session(
        box,
        """
        import readline from 'node:readline';
        const all = ['apple', 'apricot', 'banana'];
        const rl = readline.createInterface({
          input: process.stdin, output: process.stdout,
          completer: (line) => [all.filter((word) => word.startsWith(line)), line],
        });
        rl.question('fruit: ', (answer) => { console.log('got', answer); rl.close(); });
        """,
    )
    s.read_until("fruit:")
    s.type("b\t")
    s.read_until("fruit: banana")
    s.type("\x15a\t")
    s.read_until("fruit: ap")
    s.type("\t")
    s.read_until("apple    apricot")
    s.type("r\t")
    s.read_until("fruit: apricot")
    s.type("\r")
    s.read_until("got apricot")
    assert s.finish() == 0
