"""`rt repl` on a terminal: keys, commands, history, completions and previews."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rig import Box, executable
from screens import Session

PROMPT = "> "


class Repl:
    """A REPL on a terminal; `screen` is what it shows now."""

    def __init__(self, box: Box, columns: int = 80, **environment: str) -> None:
        environment = {"RT_REPL_HISTORY": ""} | environment
        self.session = Session(box, "repl", columns=columns, rows=60, program="", **environment)
        self.until(lambda lines: lines[-1].rstrip() == PROMPT.rstrip())

    @property
    def lines(self) -> list[str]:
        return self.session.lines

    def until(self, holds: Callable[[list[str]], bool]) -> None:
        while not holds(self.lines):
            assert self.session._read(), "\n".join(self.lines)

    def shows(self, text: str) -> None:
        """Wait until the last lines of the screen, joined, end with `text`."""
        self.until(lambda lines: "\n".join(line.rstrip() for line in lines).endswith(text))

    def type(self, keys: str) -> None:
        self.session.type(keys)

    def enter(self, text: str, *answer: str) -> None:
        """Type an input that is complete; wait for its answer and the next prompt."""
        self.type(f"{text}\r")
        self.shows("\n".join([*answer, PROMPT.rstrip()]))

    def end(self) -> None:
        self.type("\x04")
        assert self.session.finish() == 0


def starts_with(text: str) -> Callable[[list[str]], bool]:
    """Return whether one of the last lines begins with `text`."""
    return lambda lines: any(line.startswith(text) for line in lines[-3:])


@pytest.fixture
def repl(box: Box) -> Repl:
    return Repl(box)


def test_it_greets_and_evaluates(repl: Repl) -> None:
    assert re.fullmatch(r"Welcome to rt v\d+\.\d+\.\d+", repl.lines[0])
    repl.enter("const a: number = 40", "undefined")
    repl.enter("a + 2", "42")
    repl.enter("missing", "ReferenceError: missing is not defined", "      at REPL3:1:1")
    repl.enter("  ", ">")
    repl.end()


def test_keys_edit_the_line(repl: Repl) -> None:
    for typed, evaluated in [
        ("bc'\x01'a\x05", "'abc'"),  # start and end of the line
        ("'ac'\x1b[D\x1b[Db\x1b[C", "'abc'"),  # left, right
        ("'abx\x7fc'", "'abc'"),  # backspace
        ("'abxc'\x1b[D\x1b[D\x1b[D\x04\x05", "'abc'"),  # Ctrl-D deletes the character at the cursor
        ("junk\x15'abc'", "'abc'"),  # to the start of the line
        ("'abc' junk\x17", "'abc'"),  # a word
        ("'abc'junk\x1b[D\x1b[D\x1b[D\x1b[D\x0b", "'abc'"),  # to the end of the line
        ("'abc'\x15\x19", "'abc'"),  # yank
        ("'abc\x1b[H\x1b[F'", "'abc'"),  # Home, End
        ("'acb\x14'\x7f\x7f\x7fbc'", "'abc'"),  # transposed, and typed again
    ]:
        repl.enter(typed, f'"{evaluated[1:-1]}"')
    repl.end()


def test_ctrl_c_abandons_the_input_and_ends_twice(repl: Repl) -> None:
    repl.type("some text\x03")
    repl.shows("> some text\n>")
    repl.type("({\r\x03")
    repl.until(lambda lines: any(line.startswith("> ({") for line in lines) and lines[-1].rstrip() == ">")
    repl.type("\x03")
    repl.shows("(press Ctrl+C again to exit, or Ctrl+D)\n>")
    repl.enter("5", "5")
    repl.type("\x03")
    repl.shows("(press Ctrl+C again to exit, or Ctrl+D)\n>")
    repl.type("\x03")
    assert repl.session.finish() == 0


@pytest.mark.parametrize(
    "keys", ["\x03\x04", "1\x03\x04", "\x03\x03", "(\r\x03\x04", "Math.\t\x03\x04", "\x12a\x03\x04", "\x037\r\x04"]
)
def test_keys_typed_at_once_after_ctrl_c_are_read(repl: Repl, keys: str) -> None:
    repl.type(keys)
    assert repl.session.finish() == 0


def test_ctrl_c_ends_an_evaluation(repl: Repl) -> None:
    repl.type("process.stdout.write('g' + 'o\\n'); for (;;);\r")
    repl.shows("\ngo")
    repl.type("\x03")
    repl.shows("error: The evaluation was interrupted by Ctrl+C\n>")
    repl.type("console.log('wait' + 'ing'); await new Promise(() => {})\r")
    repl.shows("\nwaiting")
    repl.type("\x03")
    repl.shows("waiting\n^C\nerror: The evaluation was interrupted by Ctrl+C\n>")
    repl.enter("6 * 7", "42")
    repl.end()


def test_an_input_may_have_several_lines(repl: Repl) -> None:
    repl.type("function f() {\r")
    repl.shows("> function f() {\n...")
    repl.enter("  return 9\r}", "undefined")
    repl.enter("f()", "9")
    repl.type("\x1b[A\x1b[A")  # the function is one entry of the history
    repl.shows("> function f() {\n  return 9\n}")
    repl.type("\x1b[A\x1b[F\x7f8\r")  # up, into the middle; Enter ends the input there, too
    repl.shows("undefined\n>")
    repl.enter("f()", "8")
    repl.type("({\r.break\r")
    repl.shows(".break\n>")
    repl.end()


@pytest.mark.parametrize("text", ["function g() {\n  return 7\n}\n\ng() + 70", "const s = `a\tb`\r\n// c\r\n77"])
def test_pasted_text_stays_together(repl: Repl, text: str) -> None:
    repl.type(f"\x1b[200~{text}\x1b[201~")
    repl.enter("", "77")
    repl.end()


def test_a_whole_file_is_pasted(repl: Repl) -> None:
    lines = [
        f"function part{index}(value: number): number {{\n\treturn value + {index} // é\n}}" for index in range(60)
    ]
    repl.type("\x1b[200~" + "\n".join([*lines, "part59(1)"]) + "\x1b[201~")
    repl.enter("", "60")
    repl.end()


def test_editor_mode_ends_with_ctrl_d(repl: Repl) -> None:
    repl.type(".editor\r")
    repl.shows("(Ctrl+D to finish, Ctrl+C to cancel)")
    repl.type("const q = 1;\rq + 76\x04")
    repl.shows("77\n>")
    repl.type(".editor\r")
    repl.shows("(Ctrl+D to finish, Ctrl+C to cancel)")
    repl.type("let never = 1\x03")
    repl.shows("let never = 1\n>")
    repl.enter("typeof never", '"undefined"')
    repl.end()


def test_names_members_and_modules_are_completed(repl: Repl, box: Box) -> None:
    box.write({"folder/inner.ts": "", "folder/other.txt": "", "node_modules/my-package/index.js": ""})
    repl.enter("const own = { alpha: 1, get beta() { throw process.exit(9) } }; let lexical = 1", "undefined")
    for typed, completed in [
        ("Math.ma\t", "Math.max"),
        ("own.al\t", "own.alpha"),
        ("lexi\t", "lexical"),
        ("debugg\t", "debugger"),
        ("[].fla\tM\t", "[].flatMap"),
        ("fs.readFileS\t", "fs.readFileSync"),
        (".hel\t", ".help"),
        ("require('node:worker_t\t", "require('node:worker_threads"),
        ("import x from 'my-pa\t", "import x from 'my-package"),
        ("await import('./fol\tin\t", "await import('./folder/inner.ts"),
        (".load folder/oth\t", ".load folder/other.txt"),
        ("import { readFileS } from 'fs'" + "\x1b[D" * 12 + "\t", "import { readFileSync } from 'fs'"),
    ]:
        repl.type(typed)
        repl.until(starts_with(f"> {completed}"))
        repl.type("\x03")
        repl.until(lambda lines: lines[-1] == ">")
    repl.type("own.\t")
    repl.until(lambda lines: any("isPrototypeOf" in line for line in lines) and lines[-1] == "> own.")
    repl.type("\x03")
    repl.until(lambda lines: lines[-1] == ">")
    repl.end()


def test_keys_typed_before_the_engine_is_ready(box: Box) -> None:
    for _ in range(3):  # the third start begins with the editor
        assert (
            subprocess.check_output([executable(), "repl"], input=b"1", cwd=box.folder, env=box.environment()) == b"1\n"
        )
    session = Session(box, "repl", RT_REPL_HISTORY="")
    session.type("Math.ma\t(40, 42)\r.hel\t\r")
    session.read_until("> Math.max(40, 42)")
    session.read_until("42")
    session.read_until("Commands:")
    session.type("\x04")
    assert session.finish() == 0


def test_the_result_is_shown_while_typing_without_side_effects(repl: Repl) -> None:
    repl.enter("let calls = 0; const own = { get a() { calls++; return 1 }, f() { calls++; return 2 } }", "undefined")
    repl.type("[1, 2].map((n) => n * 21)")
    repl.until(lambda lines: lines[-2:] == ["> [1, 2].map((n) => n * 21)", "[ 21, 42 ]"])
    repl.enter("", "[ 21, 42 ]")
    for text in ["own.a", "own.f()", "calls = 5", "for (;;);", "process.exit(3)", "fs.writeFileSync('made', '')"]:
        repl.type(f"{text} ")
        repl.shows(f"\n> {text}")
        repl.type("\x15")
        repl.until(lambda lines: lines[-1] == ">")
    repl.enter("[calls, fs.existsSync('made')]", "[ 0, false ]")
    repl.end()


def test_the_right_arrow_accepts_the_rest_of_a_name(repl: Repl) -> None:
    repl.enter("const remarkable = 5", "undefined")
    repl.type("remar")
    repl.until(lambda lines: lines[-1] == "> remarkable")
    repl.type("\x1b[C")
    repl.until(lambda lines: lines[-2:] == ["> remarkable", "5"])
    repl.enter("", "5")
    repl.end()


def test_earlier_inputs_are_recalled_and_searched(repl: Repl) -> None:
    repl.enter("111 + 222", "333")
    repl.enter("'other'", '"other"')
    repl.type("partial\x1b[A\x1b[A")
    repl.until(lambda lines: any(line == "> 111 + 222" for line in lines[-2:]))
    repl.type("\x1b[B\x1b[B")
    repl.until(lambda lines: lines[-1] == "> partial")
    repl.type("\x03")
    repl.shows("> partial\n>")
    repl.type("\x12")
    repl.until(lambda lines: "(reverse-i-search)`':" in "\n".join(lines))
    repl.type("111")
    repl.until(lambda lines: "(reverse-i-search)`111': 111 + 222" in "\n".join(lines))
    repl.enter("", "333")
    repl.end()


def test_an_input_of_several_lines_is_recalled_and_replaced(repl: Repl) -> None:
    repl.type("if (true) {\r111\r}\r")
    repl.shows("111\n>")
    repl.type("\x1b[A")
    repl.shows("> if (true) {\n111\n}")
    repl.type("\x15")  # deletes to the start of the input
    repl.until(lambda lines: lines[-1] == ">")
    repl.enter("222 + 333", "555")
    repl.end()


def test_modules_are_imported(repl: Repl) -> None:
    repl.enter("typeof require", '"function"')
    repl.type("import path from 'path'\r")
    repl.shows("'path'\n>")
    repl.enter("path.sep", '"/"')
    repl.enter("console.log('printed')", "printed", "undefined")
    repl.end()


def test_wide_characters_and_narrow_terminals(box: Box) -> None:
    repl = Repl(box, columns=24)
    repl.enter("'日本語' + '😀é'", '"日本語😀é"')
    repl.type("'日本語日本語日本語日本語'.length")
    repl.until(lambda lines: "12" in lines[-1])
    repl.type("\x01[\x05]")  # at the start of the first row, and at the end of the second
    repl.enter("", "[ 12 ]")
    repl.type("'" + "a" * 60 + "'")
    repl.until(lambda lines: "\n".join(lines).count("a") >= 60)
    repl.session.resize(40, 60)
    repl.enter(".length", "60")
    repl.end()


def test_output_of_timers_appears_above_the_prompt(repl: Repl) -> None:
    repl.type("globalThis.later = setInterval(() => console.log('print' + 'ed'), 5); 6 * 7")
    repl.until(
        lambda lines: lines[-1] == "> globalThis.later = setInterval(() => console.log('print' + 'ed'), 5); 6 * 7"
    )
    repl.type("\r")
    repl.until(lambda lines: "42" in lines)
    repl.type("'typed'")
    repl.until(lambda lines: lines[-1] == "> 'typed'" and lines[-3:-1] == ["printed"] * 2)
    repl.type("; clearInterval(later)\r")
    repl.until(lambda lines: "undefined" in lines and lines[-1] == ">")
    repl.type("setTimeout(() => { throw new Error('late') }, 1); 0\r")
    repl.until(lambda lines: "error: late" in lines and lines[-1] == ">")
    repl.enter("6 * 7", "42")
    repl.end()


def test_the_terminal_gets_its_mode_back(box: Box) -> None:
    session = Session(box, program="/bin/sh", RT_REPL_HISTORY="")
    session.type(f"{executable()} repl\r")
    session.read_until("Type .help")
    session.type("setTimeout(() => process.exit(), 1)\r")
    while not session.lines[-1].endswith(("#", "$")):  # the shell's prompt, maybe behind that of the REPL
        assert session._read(), session.lines
    session.type("stty -a | grep -o -- '-*icanon'; exit\r")
    while not any(line in ("icanon", "-icanon") for line in session.lines):
        assert session._read(), session.lines
    assert "icanon" in session.lines


def test_history_is_shared_by_repls_that_run_at_once(box: Box, tmp_path: Path) -> None:
    history = tmp_path / "history"
    sessions = [Session(box, "repl", RT_REPL_HISTORY=str(history)) for _ in range(2)]
    for session in sessions:
        session.read_until("> ")
    for round_ in range(3):
        for number, session in enumerate(sessions):
            session.type(f"'{number}-{round_}'\r")
            session.read_until(f'"{number}-{round_}"')
    for session in sessions:
        session.type("\x04")
        assert session.finish() == 0
    entries = history.read_text().splitlines()[1:]
    assert sorted(entries) == sorted(f"'{number}-{round_}'" for number in range(2) for round_ in range(3))
    assert history.stat().st_mode & 0o777 == 0o600
    third = Session(box, "repl", RT_REPL_HISTORY=str(history))
    third.read_until("> ")
    third.type("\x1b[A\r")
    third.read_until(f'"{entries[-1][1:-1]}"')
    third.type("\x04")
    assert third.finish() == 0


# A line, and how it is drawn: `<35 let>` is in colour 35.
COLOURED = [
    ("let a = 1", "<35 let> a = <33 1>"),
    ("a / 2 / b", "a / <33 2> / b"),
    ("f(/x[/]y/g)", "f(<31 /x[/]y/g>)"),
    ("`a${b + 'c'}d`", "<32 `a${>b + <32 'c'><32 }d`>"),
    ("/* x", "<2 /* x>"),
    ("a.new true", "a.new <33 true>"),
    ("日本 = 0x1F", "日本 = <33 0x1F>"),
]


def test_colours(box: Box) -> None:
    repl = Repl(box)
    repl.enter("const a = 'x'", "undefined")
    assert b"\x1b[35mconst\x1b[0m" in repl.session.raw and b"\x1b[32m'x'\x1b[0m" in repl.session.raw
    for text, coloured in COLOURED:
        repl.type(text)
        drawn = re.sub(r"<(\d+) ([^>]*)>", "\x1b[\\1m\\2\x1b[0m", coloured).encode()
        repl.until(lambda _, drawn=drawn: drawn in repl.session.raw)  # type: ignore[misc]
        repl.type("\x03")
        repl.until(lambda lines: lines[-1].rstrip() == PROMPT.rstrip())
    repl.end()
    repl = Repl(box, NO_COLOR="1")
    repl.enter("const a = 'x'", "undefined")
    assert b"\x1b[3" not in repl.session.raw
    repl.end()


def test_a_terminal_without_control_sequences_gets_plain_prompts(box: Box) -> None:
    session = Session(box, "repl", TERM="dumb", RT_REPL_HISTORY="")
    session.read_until("> ")
    session.type("6 * 7\r")
    session.read_until("42")
    session.type(".exit\r")
    assert session.finish() == 0


def test_with_output_in_a_pipe_it_prints_results_only(box: Box) -> None:
    code = f"import subprocess; print(subprocess.check_output(['{executable()}', 'repl'], input=b'1 + 1').decode())"
    assert subprocess.check_output([sys.executable, "-c", code], env=box.environment(), cwd=box.folder).split() == [
        b"2"
    ]
