"""The screen's session: keys and the mouse become actions on a run and a desktop that the test plays."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from rt_supervisor.screen import rendering
from rt_supervisor.screen.keys import ACTIONS, KeyMap, show_key
from rt_supervisor.screen.session import Session
from rt_supervisor.vocabulary.errors import Failed


class Run:
    """Records what the session requests, and how often it interrupts the run."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.interrupts = 0

    def send(self, operation: str, **arguments: Any) -> None:
        self.requests.append((operation, arguments))

    def interrupt(self) -> None:
        self.interrupts += 1

    def take(self) -> list[tuple[str, dict[str, Any]]]:
        taken, self.requests = self.requests, []
        return taken

    def typed(self) -> bytes:
        """Return the input that was sent to tasks since the last call."""
        sent = [arguments["bytes"] for operation, arguments in self.take() if operation == "input"]
        return b"".join(map(base64.b64decode, sent))


class Desktop:
    """Records what the session does to the user's terminal and browser."""

    def __init__(self) -> None:
        self.copied: list[str] = []
        self.opened: list[str] = []
        self.suspended = self.left = 0

    def copy(self, text: str) -> None:
        self.copied.append(text)

    def open_url(self, url: str) -> None:
        self.opened.append(url)

    def suspend(self) -> None:
        self.suspended += 1

    def leave(self) -> None:
        self.left += 1


def task(key: int, name: str, state: str = "running", **changes: Any) -> dict[str, Any]:
    package, _, script = name.partition(" ")
    return {
        "task": key,
        "label": name,
        "package": package,
        "script": script,
        "after": [],
        "state": state,
        "pid": 100 + key if state == "running" else None,
        "startedAt": None if state == "waiting" else 1.0,
        "endedAt": None if state in ("running", "waiting") else 3.5,
        "status": 3 if state == "failed" else None,
        "restarts": 0,
        "attempt": 1,
        "ready": None,
        "cached": False,
    } | changes


TASKS = [
    task(0, "api dev"),
    task(1, "api docs", "failed"),
    task(2, "web dev", ready=False, after=[0], restarts=2),
    task(3, "lib dev", "waiting", after=[2, 0]),
]


class Screen:
    """A session of a run with `TASKS`."""

    def __init__(self, *settings: str, watching: str | None = None, columns: int = 100, **options: Any) -> None:
        self.run, self.desktop = Run(), Desktop()
        self.session = Session(self.run, self.desktop, KeyMap(settings), **options)
        self.session.resize(columns, 24)
        self.update(*TASKS, watching=watching)

    def update(self, *tasks: dict[str, Any], watching: str | None = None) -> None:
        self.session.update({"at": 11.0, "watching": watching, "tasks": list(tasks)})

    def press(self, *keys: str) -> None:
        for key in keys:
            self.session.press(key, key if len(key) == 1 else None)

    def type(self, text: str) -> None:
        self.press(*text)

    @property
    def listed(self) -> list[str]:
        return ["".join(text for text, _ in row).split("  ")[0].rstrip() for row in rendering.list_rows(self.session)]

    @property
    def status(self) -> str:
        return "".join(text for text, _ in rendering.status(self.session))

    @property
    def heading(self) -> str:
        return "".join(text for text, _ in rendering.heading(self.session))


def test_the_list_shows_states_and_times() -> None:
    screen = Screen()
    rows = ["".join(text for text, _ in row) for row in rendering.list_rows(screen.session)]
    assert rows == [
        "● api dev                   10s ",
        "✗ api docs                 2.5s ",
        "◐ web dev                ×2 10s ",
        "○ lib dev                       ",
    ]
    screen.press("j")
    assert screen.heading == "✗ api docs  exited with code 3 · 2.5s"
    screen.press("j")
    assert screen.heading == "◐ web dev  running · not ready · 2 restarts · 10s"
    assert screen.status.startswith("2 running 1 failed 1 waiting ")


def test_selecting_filtering_and_grouping() -> None:
    screen = Screen()
    screen.press("up", "down", "down", "down", "down")
    assert screen.session.model.selected == 3
    screen.press("f", *"DEV", "backspace", "v")
    assert (screen.listed, screen.status) == (["● api dev", "◐ web dev", "○ lib dev"], "filter: DEv▏")
    screen.press("enter", "F")
    assert (screen.listed, screen.session.model.state) == (["● api dev", "◐ web dev"], "running")
    screen.press("F")
    assert screen.listed == ["no task matches"]
    screen.press("F", "F", "f", "escape", "b")
    rows = ["".join(text for text, _ in row).split() for row in rendering.list_rows(screen.session)]
    assert [row[:2] for row in rows] == [
        ["api"],
        ["●", "dev"],
        ["✗", "docs"],
        ["web"],
        ["◐", "dev"],
        ["lib"],
        ["○", "dev"],
    ]
    for row, selected in ((4, 2), (5, 2), (6, 3), (9, 3)):  # row 5 is the name of a package
        screen.session.click_list(row)
        assert screen.session.model.selected == selected


def test_operations_name_the_selected_task() -> None:
    screen = Screen()
    screen.press("down", "r", "x", "s", "R")
    assert screen.run.take() == [
        ("restart", {"tasks": [1]}),
        ("stop", {"tasks": [1]}),
        ("start", {"tasks": [1]}),
        ("restart-failed", {}),
    ]
    screen.press("p")
    assert (screen.run.take(), screen.status) == ([], "this run does not watch files")
    for watching, operation in (("on", "pause-watching"), ("paused", "resume-watching")):
        screen.update(*TASKS, watching=watching)
        screen.press("p")
        assert screen.run.take() == [(operation, {})]
    screen.session.refused("the run is ending")
    assert screen.status == "the run is ending"


def test_a_task_that_has_the_keyboard_gets_every_key() -> None:
    screen = Screen()
    screen.press("enter", "q", "ctrl+c", "up", "alt+x", "tab", "escape", "ctrl+q", "f5", "é")
    assert screen.run.typed() == b"q\x03\x1b[A\x1bx\t\x1b\x11\x1b[15~\xc3\xa9"
    screen.session.output(0, b"\x1b[?1h\x1b[?2004h")
    screen.press("down", "shift+tab", "ctrl+left", "shift+delete", "enter", "backspace", "ctrl+space")
    assert screen.run.typed() == b"\x1bOB\x1b[Z\x1b[1;5D\x1b[3;2~\r\x7f\x00"
    screen.session.paste("two\nlines\x1b[201~")
    assert screen.run.typed() == b"\x1b[200~two\rlines[201~\x1b[201~"
    screen.press("ctrl+z", "ctrl+z")
    assert (screen.session.mode, screen.desktop.suspended) == ("listing", 1)
    screen.press("enter")
    screen.update(task(0, "api dev", "succeeded"))
    assert (screen.session.mode, screen.status) == ("listing", "the task has ended")
    screen.press("enter")
    assert screen.status == "the task is not running; press s to start it"


def test_queries_are_answered_once_and_only_by_the_screen_of_the_run() -> None:
    screen = Screen()
    screen.session.output(0, b"\x1b[6n")
    assert screen.run.typed() == b"\x1b[1;1R"
    screen.session.output(0, b"\x1b[6n", is_live=False)
    attached = Screen(is_attached=True)
    attached.session.output(0, b"\x1b[6n")
    assert screen.run.typed() == attached.run.typed() == b""


def test_searching_and_errors() -> None:
    screen = Screen()
    screen.session.output(0, b"".join(b"line %d\r\n" % number for number in range(100)) + b"an error here\r\n")
    screen.press("/", *"line 7", "enter")
    terminal = screen.session.terminal()
    assert terminal is not None
    assert terminal.selected_text() == "line 7" and terminal.offset > 0
    screen.press("n")
    assert terminal.selected_text() == "line 7"
    screen.press("/", *"nothing", "ctrl+u", *"absent", "enter")
    assert screen.status == '"absent" was not found'
    screen.press("end", "e")
    assert terminal.selected_text() == "error"
    screen.session.output(1, b"Error: broken\r\n")
    screen.press("e")
    assert screen.session.model.selected == 1, "the next task that failed"
    screen.press("/", "escape")
    assert screen.session.mode == "listing"


def test_scrolling_clearing_and_wrapping() -> None:
    screen = Screen()
    screen.session.output(0, b"x" * 150 + b"\r\n" + b"line\r\n" * 100)
    terminal = screen.session.terminal()
    assert terminal is not None
    screen.press("home")
    before = terminal.offset
    assert len(terminal.rows()[0][0][0]) == 67
    screen.press("w")
    assert len(terminal.rows()[0][0][0]) == 150
    screen.press("right", "right", "left")
    assert screen.session.column == 8
    screen.press("pagedown")
    assert terminal.offset < before
    screen.press("w", "end", "l")
    assert (screen.session.column, terminal.offset, terminal.text().strip()) == (0, 0, "")


def test_all_output_has_names_and_no_control_sequences() -> None:
    screen = Screen()
    screen.session.output(0, b"\x1b]52;c;aGk=\x07one\r\n\x1b[2Jtwo")
    screen.session.output(2, b"other\n")
    screen.press("m")
    screen.session.output(0, b" more\r\n")
    terminal = screen.session.terminal()
    assert terminal is not None
    assert terminal.text().split() == [
        "api",
        "dev",
        "│",
        "one",
        "web",
        "dev",
        "│",
        "other",
        "api",
        "dev",
        "│",
        "two",
        "more",
    ]
    screen.press("t")
    screen.session.output(2, b"late\n")
    assert terminal.text().rstrip().splitlines()[-1].endswith(" web dev │ late")
    screen.press("j")
    assert not screen.session.is_merged


def test_urls_are_found_in_output() -> None:
    screen = Screen()
    screen.session.output(0, b"  Local:  \x1b[36mhttp://0.0.0.0:\x1b[1m51")
    assert screen.session.model.tasks[0].url is None
    screen.session.output(0, b"73\x1b[22m/\x1b[0m, docs: http://example.com/\r\n")
    assert (screen.session.model.tasks[0].url, screen.session.model.tasks[0].port) == ("http://localhost:5173/", "5173")
    screen.press("o", "j", "o")
    assert (screen.desktop.opened, screen.status) == (["http://localhost:5173/"], "the task has not printed a URL")
    screen.session.started(0)
    screen.session.output(0, b"http://localhost:4000\n")
    screen.update(*TASKS)
    assert screen.session.model.tasks[0].port == "4000"


def test_the_mouse_selects_copies_and_opens_links() -> None:
    screen = Screen()
    screen.session.output(0, b"hello world \x1b]8;;http://localhost/\x1b\\link\x1b]8;;\x1b\\")
    screen.session.press_mouse(0, 0)
    screen.session.drag_mouse(0, 4)
    screen.session.release_mouse(0, 4)
    screen.session.press_mouse(0, 7, clicks=2)
    screen.session.release_mouse(0, 7)
    screen.press("y")
    assert screen.desktop.copied == ["hello", "world", "world"]
    screen.press("end", "y")
    assert screen.desktop.copied[-1] == "hello world link"
    screen.session.press_mouse(0, 13)
    screen.session.release_mouse(0, 13)
    assert screen.desktop.opened == ["http://localhost/"]


def test_a_task_with_the_keyboard_gets_the_mouse_if_it_asks_for_it() -> None:
    screen = Screen()
    screen.session.output(0, b"\x1b[?1002h\x1b[?1006h")
    screen.session.press_mouse(2, 4)
    assert screen.run.typed() == b"", "not without the keyboard"
    screen.session.release_mouse(2, 4)
    screen.press("enter")
    screen.session.press_mouse(2, 4)
    screen.session.drag_mouse(2, 5)
    screen.session.release_mouse(2, 5)
    screen.session.wheel(1, row=0, column=0)
    assert screen.run.typed() == b"\x1b[<0;5;3M\x1b[<32;6;3M\x1b[<0;6;3m\x1b[<64;1;1M"
    screen.session.output(0, b"\x1b[?1002l\x1b[?1049h")
    screen.session.wheel(-1, row=0, column=0)
    assert screen.run.typed() == b"\x1b[B" * 3, "a full-screen program scrolls by keys"


def test_leaving() -> None:
    screen = Screen()
    screen.press("q")
    assert screen.status == "2 tasks are running. End the run? y/n"
    screen.press("n", "q", "y", "ctrl+c")
    assert screen.run.interrupts == 2
    screen.update(task(0, "api dev", "succeeded"), *TASKS[1:2], task(2, "web dev", "stopped"))
    screen.press("q")
    assert screen.run.interrupts == 3
    attached = Screen(is_attached=True)
    attached.press("q", "ctrl+c")
    assert (attached.desktop.left, attached.run.interrupts) == (2, 0)


def test_a_screen_that_only_looks() -> None:
    screen = Screen(is_attached=True, has_input=False)
    screen.press("r", "x", "s", "R", "enter")
    assert (screen.run.take(), screen.status) == ([], "this screen only shows the run (--no-input)")
    piped = Screen(has_terminals=False)
    piped.session.output(0, b"one\ntwo\n")
    piped.press("enter")
    assert piped.status.startswith("the tasks of this run have no terminals")
    terminal = piped.session.terminal()
    assert terminal is not None
    assert terminal.text().split() == ["one", "two"] and terminal.cursor == (2, 0)


def test_pages() -> None:
    screen = Screen("restart:f5", "stop:")
    screen.press("?")
    help_text = ["".join(text for text, _ in row) for row in rendering.page_rows(screen.session)]
    screen.press("down", "pagedown")
    help_text += ["".join(text for text, _ in row) for row in rendering.page_rows(screen.session)]
    assert len(set(help_text)) == len(ACTIONS) and screen.session.mode == "reading"
    assert any("F5" in row and "Restart the task" in row for row in help_text)
    screen.press("x", "g")
    graph = ["".join(text for text, _ in row).rstrip() for row in rendering.page_rows(screen.session)]
    assert graph == [
        " ✗ api docs  2.5s",
        " ○ lib dev",
        " ├─ ◐ web dev  10s",
        " │  └─ ● api dev  10s",
        " └─ ● api dev  10s",
    ]


def test_settings_replace_keys() -> None:
    keys = KeyMap(("restart:f5 ctrl+r", "stop:", "copy:r"))
    assert [keys.action(key, is_interacting=False) for key in ("f5", "ctrl+r", "x", "r", "y")] == [
        "restart", "restart", None, "copy", None,
    ]  # fmt: skip
    assert (keys.action("ctrl+z", is_interacting=True), keys.action("ctrl+z", is_interacting=False)) == (
        "release",
        "suspend",
    )
    assert [show_key(key) for key in ("enter", "ctrl+z", "r", "R", "+", "f5")] == ["↵", "Ctrl-Z", "r", "R", "+", "F5"]
    for wrong, meant in (("restrat:r", "restart"), ("restart:contrl+r", "ctrl"), ("restart:entre", "enter")):
        with pytest.raises(Failed, match=f'did you mean "{meant}"'):
            KeyMap((wrong,))


@pytest.mark.parametrize("columns", [1, 5, 20, 59, 60, 99, 130, 300])
@pytest.mark.parametrize("rows", [1, 2, 5, 24])
def test_rows_fit_into_every_size(columns: int, rows: int) -> None:
    screen = Screen()
    screen.session.resize(columns, rows)
    layout = screen.session.layout
    assert layout.view_rows >= 1 and layout.view_columns >= 1
    for row in rendering.list_rows(screen.session):
        assert sum(len(text) for text, _ in row) <= max(layout.list_columns, 4)
    assert all(size["rows"] == layout.view_rows for _, size in screen.run.take()[-4:])
