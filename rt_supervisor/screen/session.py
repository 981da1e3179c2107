"""What the user does on the screen, and what follows: the one place where keys become actions.

```text
listing ──interact──> interacting ──release──> listing
   ├──filter, search──> typing ──enter, escape──> listing
   ├──help, graph──> reading ──any key that does not scroll──> listing
   └──quit, while tasks run──> asking ──y──> the run ends
                                  └──any other key──> listing
```

It acts through `Run` and `Desktop`, so that tests need neither a run nor a terminal.
"""

from __future__ import annotations

from .layout import Layout, layout_of
from .model import Model
from .terminals import HISTORY_LINES, Terminals
from .typed_keys import encode_key, encode_mouse, encode_paste

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal, Protocol

    from .._native import TerminalEmulator
    from .keys import KeyMap

    Mode = Literal["listing", "interacting", "typing", "reading", "asking"]

    class Run(Protocol):
        """Sends requests to the run (`control.protocol`); does not wait for replies."""

        def send(self, operation: str, **arguments: Any) -> None: ...
        def interrupt(self) -> None: ...

    class Desktop(Protocol):
        """The user's terminal and browser."""

        def copy(self, text: str) -> None: ...
        def open_url(self, url: str) -> None: ...
        def suspend(self) -> None: ...
        def leave(self) -> None: ...


ERROR_PATTERN = r"(?-u:\b)(error|ERROR|Error|ERR!|FAIL|FAILED|failed|panic|Traceback|exception|Exception|fatal)(?-u:\b)"
_STEERING = ("interact", "restart", "restart-failed", "start", "stop", "pause")
_SCROLLED_COLUMNS = 8
_WHEEL_LINES = 3


class Session:
    """The state of the screen. Its owner draws it after each call; `has_ended` once the run is over."""

    def __init__(
        self,
        run: Run,
        desktop: Desktop,
        keys: KeyMap,
        *,
        is_attached: bool = False,
        has_input: bool = True,
        has_terminals: bool = True,
        history: int = HISTORY_LINES,
    ) -> None:
        """Without `has_input`, the user can only look; without `has_terminals`, tasks write to pipes and cannot be typed to. With `is_attached`, the run continues when the user leaves. `history` is how many lines each terminal keeps."""
        self._run = run
        self._desktop = desktop
        self.keys = keys
        self.is_attached = is_attached
        self._has_input = has_input
        self._has_terminals = has_terminals
        self.model = Model()
        self.terminals = Terminals(label=self._label, history=history, is_piped=not has_terminals)
        self.mode: Mode = "listing"
        self.prompt: Literal["filter", "search"] = "search"  # while typing
        self.typed = ""
        self.page: Literal["help", "graph"] = "help"  # while reading
        self.page_top = 0  # its first row that is shown
        self.is_merged = False
        self.column = 0  # how far the view is scrolled to the right
        self.list_top = 0
        self.notice = ""
        self.layout: Layout = layout_of(80, 24)
        self._urls: dict[int, str] = {}
        self._searched = ""
        self._is_pressed = False

    def _label(self, key: int) -> str:
        task = self.model.tasks.get(key)
        return str(key) if task is None else task.label

    # --- the run

    def update(self, snapshot: Mapping[str, Any]) -> None:
        """Take over the state of the run."""
        self.model.update(snapshot)
        for task in self.model.tasks.values():
            task.url = self._urls.get(task.key)
        if self.mode == "interacting" and not self._is_running():
            self.mode = "listing"
            self.notice = "the task has ended"

    def started(self, task: int) -> None:
        """Record that a task starts, before its first output: a URL of an earlier start no longer counts."""
        self.terminals.restarted(task)
        self._urls.pop(task, None)

    def output(self, task: int, data: bytes, *, is_live: bool = True) -> None:
        """Take output of a task. Its terminal replies to queries only if the output `is_live`, and not that of an attached run."""
        reply = self.terminals.feed(task, data)
        if reply and is_live and not self.is_attached:
            self._type(task, reply)
        url = self.terminals.find_url(task, data)
        if url is not None:
            self._urls[task] = url
            if (known := self.model.tasks.get(task)) is not None:
                known.url = url

    def skipped(self, task: int, count: int) -> None:
        """Record that `count` bytes of output were lost because the screen was slow."""
        self.terminals.feed(task, f"\r\n\x1b[0;2m… {count} bytes are not shown …\x1b[0m\r\n".encode())

    def refused(self, message: str) -> None:
        """Show why the run did not carry out a request."""
        self.notice = message

    def resize(self, columns: int, rows: int) -> None:
        """Take over the size of the user's terminal; the terminals of the tasks follow."""
        self.layout = layout_of(columns, rows)
        if self.terminals.resize(self.layout.view_rows, self.layout.view_columns):
            self.announce_size()

    def announce_size(self) -> None:
        """Have the run give the terminals of all tasks the size of the view."""
        if not (self._has_input and self._has_terminals):
            return
        for key in self.model.tasks:
            self._run.send("resize", task=key, rows=self.layout.view_rows, columns=self.layout.view_columns)

    # --- what is shown

    def terminal(self) -> TerminalEmulator | None:
        """Return the terminal that the view shows."""
        if self.is_merged:
            return self.terminals.merged()
        return None if self.model.selected is None else self.terminals.of(self.model.selected)

    def _is_running(self) -> bool:
        task = self.model.current()
        return task is not None and task.state == "running"

    # --- the keyboard

    def press(self, key: str, character: str | None = None) -> None:
        """Act on a key, named as Textual does, with the character that it types."""
        self.notice = ""
        pressed = character if character is not None and len(character) == 1 and character.isprintable() else key
        match self.mode:
            case "interacting":
                self._press_interacting(key, character)
            case "typing":
                self._press_typing(key, character)
            case "reading":
                self._press_reading(pressed, key)
            case "asking":
                self.mode = "listing"
                if pressed in ("y", "Y") or self.keys.action(key, is_interacting=False) == "interrupt":
                    self._end()
            case "listing":
                action = self.keys.action(pressed, is_interacting=False) or self.keys.action(key, is_interacting=False)
                if action is not None:
                    self.act(action)

    def _press_reading(self, pressed: str, key: str) -> None:
        page = max(1, self.layout.view_rows - 1)
        steps = {"up": -1, "down": 1, "scroll-up": -page, "scroll-down": page}
        action = self.keys.action(pressed, is_interacting=False) or self.keys.action(key, is_interacting=False)
        if action in steps:
            self.page_top = max(0, self.page_top + steps[action])
        else:
            self.mode = "listing"

    def paste(self, text: str) -> None:
        """Act on pasted text: only a task that has the keyboard, and a prompt, take it."""
        terminal = self.terminal()
        if self.mode == "interacting" and self.model.selected is not None and terminal is not None:
            self._type(self.model.selected, encode_paste(text, is_bracketed=terminal.has_bracketed_paste))
        elif self.mode == "typing":
            self._edit(self.typed + "".join(each for each in text if each.isprintable()))

    def _press_interacting(self, key: str, character: str | None) -> None:
        task, terminal = self.model.selected, self.terminal()
        if self.keys.action(key, is_interacting=True) == "release":
            self.mode = "listing"
        elif task is not None and terminal is not None:
            terminal.clear_selection()
            terminal.scroll_to_end()
            self._type(task, encode_key(key, character, application_cursor=terminal.has_application_cursor))

    def _press_typing(self, key: str, character: str | None) -> None:
        if key == "escape":
            if self.prompt == "filter":
                self.model.show_only(text="", state=self.model.state)
            self.mode = "listing"
        elif key == "enter":
            self.mode = "listing"
            if self.prompt == "search":
                self._searched = self.typed
                self._find(backwards=True)
        elif key == "backspace":
            self._edit(self.typed[:-1])
        elif key == "ctrl+u":
            self._edit("")
        elif character is not None and character.isprintable():
            self._edit(self.typed + character)

    def _edit(self, text: str) -> None:
        self.typed = text
        if self.prompt == "filter":
            self.model.show_only(text=text, state=self.model.state)

    def _type(self, task: int, data: bytes) -> None:
        if data:
            import base64

            self._run.send("input", task=task, bytes=base64.b64encode(data).decode())

    # --- actions

    def act(self, action: str) -> None:
        """Carry out an action of `keys.ACTIONS`."""
        task, terminal = self.model.current(), self.terminal()
        if action in _STEERING and not self._has_input:
            self.notice = "this screen only shows the run (--no-input)"
            return
        match action:
            case "up" | "down":
                self._select(by=-1 if action == "up" else 1)
            case "interact":
                self._interact()
            case "restart" | "stop" | "start":
                if task is not None:
                    self._run.send(action, tasks=[task.key])
            case "restart-failed":
                self._run.send("restart-failed")
            case "pause":
                self._pause()
            case "clear" if terminal is not None:
                self.terminals.clear(terminal)
            case "open":
                if task is not None and task.url is not None:
                    self._desktop.open_url(task.url)
                    self.notice = f"opened {task.url}"
                else:
                    self.notice = "the task has not printed a URL"
            case "graph" | "help":
                self.mode, self.page, self.page_top = "reading", "graph" if action == "graph" else "help", 0
            case "error":
                self._go_to_error()
            case "merged":
                self.is_merged = not self.is_merged
            case "group":
                self.model.is_grouped = not self.model.is_grouped
            case "filter":
                self.mode, self.prompt, self.typed = "typing", "filter", self.model.text
            case "states":
                self.model.show_next_state()
            case "search":
                self.mode, self.prompt, self.typed = "typing", "search", ""
                if terminal is not None:
                    terminal.clear_selection()
            case "next" | "previous":
                self._find(backwards=action == "previous")
            case "scroll-up" | "scroll-down" | "top" | "follow":
                self._scroll(action)
            case "left" | "right":
                self._scroll_sideways(-_SCROLLED_COLUMNS if action == "left" else _SCROLLED_COLUMNS)
            case "wrap":
                self.terminals.toggle_wrapping()
                self.column = 0
            case "timestamps":
                self.terminals.has_timestamps = not self.terminals.has_timestamps
                self.notice = (
                    f"timestamps {'on' if self.terminals.has_timestamps else 'off'} in the output of all tasks"
                )
            case "copy":
                self._copy()
            case "suspend":
                self._desktop.suspend()
            case "interrupt":
                self._end()
            case "quit":
                self._quit()

    def _select(self, *, by: int) -> None:
        self.is_merged = False
        self.column = 0
        self.model.move(by)

    def _interact(self) -> None:
        if self.is_merged:
            self.is_merged = False
        if not self._has_terminals:
            self.notice = "the tasks of this run have no terminals: it was started without the screen"
        elif self._is_running():
            self.mode = "interacting"
        else:
            self.notice = f"the task is not running; press {self.keys.shown('start')} to start it"

    def _pause(self) -> None:
        if self.model.watching is None:
            self.notice = "this run does not watch files"
        else:
            self._run.send("resume-watching" if self.model.watching == "paused" else "pause-watching")

    def _go_to_error(self) -> None:
        terminal = self.terminal()
        if terminal is not None:
            had = terminal.selected_text()
            before = (terminal.offset, had)
            if terminal.find(ERROR_PATTERN, True, True) and (terminal.offset, terminal.selected_text()) != before:
                return
        if self.model.select_next("failed"):
            self.is_merged = False
            following = self.terminal()
            if following is not None:
                following.find(ERROR_PATTERN, True, True)
        else:
            self.notice = "no error"

    def _find(self, *, backwards: bool) -> None:
        terminal = self.terminal()
        if terminal is not None and self._searched and not terminal.find(self._searched, backwards, False):
            self.notice = f'"{self._searched}" was not found'

    def _scroll(self, action: str) -> None:
        terminal = self.terminal()
        if terminal is None:
            return
        page = max(1, self.layout.view_rows - 1)
        match action:
            case "scroll-up":
                terminal.scroll(page)
            case "scroll-down":
                terminal.scroll(-page)
            case "top":
                terminal.scroll_to_start()
            case _:
                terminal.clear_selection()
                terminal.scroll_to_end()

    def _scroll_sideways(self, by: int) -> None:
        if not self.terminals.is_wrapping:
            self.column = max(0, self.column + by)

    def _copy(self) -> None:
        terminal = self.terminal()
        if terminal is None:
            return
        text = terminal.selected_text()
        if not text:
            text = "\n".join("".join(segment[0] for segment in row).rstrip() for row in terminal.rows()).rstrip()
        self._desktop.copy(text)
        self.notice = f"copied {len(text)} characters"

    def _quit(self) -> None:
        if self.is_attached:
            self._desktop.leave()
        elif self.model.in_state("running"):
            self.mode = "asking"
        else:
            self._end()

    def _end(self) -> None:
        if self.is_attached:
            self._desktop.leave()
        else:
            self._run.interrupt()

    # --- the mouse

    def click_list(self, row: int) -> None:
        """Select the task in a row of the list."""
        rows = self.model.rows()
        place = row + self.list_top
        if 0 <= place < len(rows) and not isinstance(found := rows[place], str):
            self.model.selected = found.key
            self.is_merged = False
            self.column = 0
            if self.mode in ("interacting", "reading"):
                self.mode = "listing"

    def wheel(self, lines: int, *, row: int, column: int) -> None:
        """Scroll the view back by three lines for each of `lines`, or forward if negative."""
        terminal = self.terminal()
        if terminal is None:
            return
        if self.mode == "interacting" and terminal.mouse is not None:
            self._report_mouse(64 if lines > 0 else 65, row, column)
        elif terminal.is_alternate and self.mode == "interacting" and self.model.selected is not None:
            key = encode_key("up" if lines > 0 else "down", None, application_cursor=terminal.has_application_cursor)
            self._type(self.model.selected, key * _WHEEL_LINES)
        else:
            terminal.scroll(lines * _WHEEL_LINES)

    def press_mouse(self, row: int, column: int, *, button: int = 0, clicks: int = 1) -> None:
        """Begin a selection at a cell of the view, or report the click to the task that has the keyboard."""
        terminal = self.terminal()
        if terminal is None:
            return
        if self.mode == "interacting" and terminal.mouse is not None:
            self._report_mouse(button, row, column)
            return
        self._is_pressed = True
        units: Sequence[Literal["character", "word", "line"]] = ("character", "word", "line")
        terminal.select(row, column + self.column, units[min(clicks, 3) - 1])

    def drag_mouse(self, row: int, column: int) -> None:
        """Extend the selection."""
        terminal = self.terminal()
        if terminal is None:
            return
        if self._is_pressed:
            terminal.extend_selection(row, column + self.column)
        elif self.mode == "interacting" and terminal.mouse in ("drag", "motion"):
            self._report_mouse(32, row, column)

    def release_mouse(self, row: int, column: int) -> None:
        """Copy the selection, or open the link under a click."""
        terminal = self.terminal()
        if terminal is None:
            return
        if not self._is_pressed:
            if self.mode == "interacting" and terminal.mouse is not None:
                self._report_mouse(0, row, column, is_release=True)
            return
        self._is_pressed = False
        if text := terminal.selected_text():
            self._desktop.copy(text)
            self.notice = f"copied {len(text)} characters"
            return
        terminal.clear_selection()
        if (link := terminal.link_at(row, column + self.column)) is not None and link.startswith(
            ("http://", "https://")
        ):
            self._desktop.open_url(link)
            self.notice = f"opened {link}"

    def _report_mouse(self, button: int, row: int, column: int, *, is_release: bool = False) -> None:
        if self.model.selected is not None:
            self._type(self.model.selected, encode_mouse(button, column + self.column, row, is_release=is_release))
