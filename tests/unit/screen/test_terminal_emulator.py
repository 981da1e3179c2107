"""The native terminal emulator: what a script writes, as rows of the screen."""

from __future__ import annotations

import time

from rt_supervisor._native import TerminalEmulator

BOLD, DIM, ITALIC, UNDERLINED, INVERSE, STRUCK, SELECTED = (1 << bit for bit in range(7))


def emulator(text: str = "", *, rows: int = 4, columns: int = 20, history: int = 100) -> TerminalEmulator:
    made = TerminalEmulator(rows, columns, history=history)
    assert made.feed(text.encode()) == b""
    return made


def shown(terminal: TerminalEmulator) -> list[str]:
    return ["".join(segment[0] for segment in row) for row in terminal.rows()]


def test_colours_and_attributes_are_values() -> None:
    terminal = emulator("a\x1b[1;31mb\x1b[0;38;5;200;48;2;1;2;3mc\x1b[0;2;3;4;7;9md\x1b[0;97me\x1b[0;44m  \x1b[0m  ")
    (row, *others) = terminal.rows()
    assert row == [
        ("a", -1, -1, 0),
        ("b", 1, -1, BOLD),
        ("c", 200, 1 << 24 | 0x010203, 0),
        ("d", -1, -1, DIM | ITALIC | UNDERLINED | INVERSE | STRUCK),
        ("e", 15, -1, 0),
        ("  ", -1, 4, 0),
    ]
    assert others == [[], [], []]


def test_wide_and_combining_characters_and_invalid_bytes() -> None:
    terminal = emulator("日本 e\u0301!")
    assert shown(terminal)[0] == "日本 e\u0301!"
    assert terminal.cursor == (0, 7)
    terminal.feed(b"\r\n\xff\xc3(\xe6\x97")
    assert terminal.feed(b"\xa5 end") == b""  # a character in two pieces
    assert shown(terminal)[1].endswith("日 end")


def test_no_control_sequence_is_left_in_the_text() -> None:
    terminal = emulator()
    hostile = b"\x1b]52;c;aGk=\x07\x1b]0;a \x1b\\\x1b]0;title\x07\x1bP+q544e\x1b\\\x1b_x\x1b\\\x1b[?1000h\x9b31m\x07\x08\x0e\xc2\x9b31m"
    replies = terminal.feed(hostile + b"text\x1b]52;c;?\x07\x1b]11;?\x07")
    assert replies == b"", "neither the clipboard nor colours can be read"
    assert all(ord(letter) >= 32 and not 127 <= ord(letter) < 160 for row in shown(terminal) for letter in row)
    assert terminal.title == "title"
    terminal.feed(b"\x1b]0;" + b"x" * 1000 + b"\x07")
    assert len(terminal.title) == 200


def test_queries_about_the_terminal_are_answered() -> None:
    terminal = emulator()
    assert terminal.feed(b"ab\x1b[6n") == b"\x1b[1;3R"
    assert terminal.feed(b"\x1b[c").startswith(b"\x1b[?")


def test_modes_that_a_script_sets() -> None:
    terminal = emulator()
    before = (terminal.is_alternate, terminal.has_application_cursor, terminal.has_bracketed_paste, terminal.mouse)
    assert before == (False, False, False, None)
    terminal.feed(b"\x1b[?1049h\x1b[?1h\x1b[?2004h\x1b[?1002;1006h\x1b[?25l")
    after = (terminal.is_alternate, terminal.has_application_cursor, terminal.has_bracketed_paste, terminal.mouse)
    assert after == (True, True, True, "drag")
    assert terminal.cursor is None
    terminal.feed(b"\x1b[?1002l\x1b[?1000h")
    assert terminal.mouse == "click"
    terminal.feed(b"\x1b[?1006l")
    assert terminal.mouse is None, "only SGR reports are supported"


def test_the_history_is_bounded_and_the_view_stays_while_output_arrives() -> None:
    terminal = emulator(history=50)
    terminal.feed(b"".join(b"line %d\r\n" % number for number in range(500)))
    assert terminal.history == 50
    terminal.scroll(10)
    before = shown(terminal)
    terminal.feed(b"more\r\nand more\r\n")
    assert (shown(terminal), terminal.offset, terminal.cursor) == (before, 12, None)
    terminal.scroll_to_start()
    assert (terminal.offset, shown(terminal)[0]) == (50, "line 449")
    terminal.scroll(-1000)
    assert (terminal.offset, shown(terminal)[1:]) == (0, ["more", "and more", ""])


def test_changed_rows_are_reported_once() -> None:
    terminal = emulator("one\r\ntwo\r\n")
    assert terminal.take_changes() is None
    assert set(terminal.take_changes() or []) <= {2}, "at most the row of the cursor"
    terminal.feed(b"\x1b[1;1Hchanged")
    changed = terminal.take_changes()
    assert changed is not None
    assert 0 in changed and 1 not in changed
    terminal.select(0, 0, "word")
    assert terminal.take_changes() is None


def test_resizing_wraps_lines_again() -> None:
    terminal = emulator("0123456789abcdef", columns=16)
    terminal.resize(4, 8)
    terminal.scroll_to_start()
    assert shown(terminal)[:2] == ["01234567", "89abcdef"]
    terminal.resize(2, 40)
    assert shown(terminal) == ["0123456789abcdef", ""]
    for rows, columns in ((0, 0), (1, 1), (300, 300), (1, 20)):
        terminal.resize(rows, columns)
        terminal.feed("日本\r\n".encode() * 5)
        assert len(terminal.rows()) == max(rows, 1)


def test_searching_selects_and_scrolls() -> None:
    terminal = emulator()
    terminal.feed(b"".join(b"line %d (a.b)\r\n" % number for number in range(60)))
    assert terminal.find("LINE 7 (", True, False) is False, "upper case is exact"
    assert terminal.find("line 7 (a.b)", True, False) is True
    assert (terminal.selected_text(), "line 7 (a.b)" in shown(terminal)) == ("line 7 (a.b)", True)
    assert any(segment[3] & SELECTED for row in terminal.rows() for segment in row)
    assert terminal.find(r"ine \d+", False, True) is True
    assert terminal.selected_text() == "ine 8"
    assert terminal.find(r"ine \d+", True, True) is True
    assert terminal.selected_text() == "ine 7"
    assert terminal.find("(", True, True) is None, "not a pattern"
    assert terminal.find("absent", True, False) is False
    assert terminal.selected_text() == ""
    assert terminal.text().splitlines()[0] == "line 0 (a.b)"


def test_selecting_by_characters_words_and_lines() -> None:
    terminal = emulator("hello brave world\r\nsecond")
    terminal.select(0, 6, "character")
    terminal.extend_selection(1, 2)
    assert terminal.selected_text() == "brave world\nsec"
    terminal.select(0, 8, "word")
    terminal.extend_selection(0, 8)
    assert terminal.selected_text() == "brave"
    terminal.select(1, 1, "line")
    assert terminal.selected_text() == "second\n"
    terminal.select(9, 9, "word")
    assert terminal.selected_text() == "", "outside the view"


def test_links_are_values() -> None:
    terminal = emulator("see \x1b]8;;http://localhost:3000/\x1b\\here\x1b]8;;\x1b\\.")
    assert (terminal.link_at(0, 4), terminal.link_at(0, 3), terminal.link_at(9, 9)) == (
        "http://localhost:3000/",
        None,
        None,
    )
    assert ("here", -1, -1, UNDERLINED) in terminal.rows()[0]


def test_a_synchronized_update_that_does_not_end_is_shown() -> None:
    terminal = emulator("\x1b[?2026hheld back")
    assert shown(terminal)[0] == ""
    deadline = time.monotonic() + 10
    while shown(terminal)[0] != "held back":
        terminal.take_changes()
        assert time.monotonic() < deadline
