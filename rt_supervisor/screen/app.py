"""The application on Textual: passes keys, the size of the terminal and what the run sends to the session, and draws it.

All keys go to the session; Textual's own bindings do not apply, so that a task that has the keyboard gets every key. At most
`FRAMES_PER_S` frames are drawn per second; a key is answered at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import webbrowser

from textual.app import App, ComposeResult
from textual.events import Event, Key, Paste, Resize
from textual.screen import Screen

from .canvas import Canvas
from .session import Session
from .terminals import HISTORY_LINES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..control.client import ControlClient
    from .keys import KeyMap

FRAMES_PER_S = 25
_USAGE_S = 2.0
_FRAME_BYTES = 512 << 10
"""How much is read from the run per frame. Of tasks that print faster, the run keeps the newest output, and omits what is older: so the
screen leaves the processor to the tasks."""
_REPLAYED_BYTES = 1 << 20  # of each task, when the screen joins a run


class _Plain(Screen[None], inherit_bindings=False):
    """A screen without bindings."""


class ScreenApp(App[str], inherit_bindings=False):
    """The screen of one run. Returns why it ended: "ended" (the run), "left" (the user), or "replaced" (by another plan)."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "Screen { background: ansi_default; }"

    def __init__(
        self,
        client: ControlClient,
        keys: KeyMap,
        *,
        is_attached: bool = False,
        has_input: bool = True,
        supervisor: int = 0,
        history: int = HISTORY_LINES,
    ) -> None:
        """`client` is connected. Without `has_input`, the user can only look. With `is_attached`, the run goes on when the user leaves; otherwise `supervisor` is the process
        that the user interrupts. `history` is how many lines of each task are kept.
        """
        super().__init__(ansi_color=True)
        self._client = client
        self._supervisor = supervisor
        self._is_attached = is_attached
        self._is_stale = True  # the state of the run has changed since the last snapshot
        self._wanted: dict[int, str] = {}  # requests without a reply
        self._live_from: dict[int, int] = {}  # the output that was there when the screen joined is not answered
        self.session = Session(
            _Run(self),
            _Desktop(self),
            keys,
            is_attached=is_attached,
            has_input=has_input,
            has_terminals=bool(client.run.get("terminals", True)),
            history=history,
        )
        self._canvas = Canvas(self.session)
        self._frames = 0
        self._room = _FRAME_BYTES  # what may still be read in this frame
        self._is_over = False
        self.status = 0  # the exit status of the run, once it has ended

    @property
    def failure(self) -> str:
        """The error that ended the application; "" if there was none."""
        error = self._exception
        return "" if error is None else f"{type(error).__name__}: {error}"

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()  # the run reports the failure

    def get_default_screen(self) -> Screen[None]:
        return _Plain()

    def compose(self) -> ComposeResult:
        yield self._canvas

    def on_mount(self) -> None:
        self.request("subscribe", output="all", last_bytes=_REPLAYED_BYTES)
        self._ask()
        loop = asyncio.get_running_loop()
        self._listen(True)
        loop.add_signal_handler(signal.SIGTERM, lambda: self._finish("ended"))
        self.set_interval(1 / FRAMES_PER_S, self._frame)
        self.set_interval(_USAGE_S, self._measure)

    def on_resize(self, event: Resize) -> None:
        self.session.resize(event.size.width, event.size.height)
        self._canvas.draw()

    async def on_event(self, event: Event) -> None:
        if isinstance(event, Key):
            event.stop()
            self.session.press(event.key, event.character)
            self._canvas.draw()
        elif isinstance(event, Paste):
            event.stop()
            self.session.paste(event.text)
            self._canvas.draw()
        else:
            await super().on_event(event)

    # --- the run

    def request(self, operation: str, **arguments: Any) -> None:
        """Send a request to the run; the reply arrives later."""
        from ..vocabulary.errors import Failed

        try:
            self._wanted[self._client.send(operation, **arguments)] = operation
        except Failed:
            self._finish("ended")

    def interrupt(self) -> None:
        """End the run as Ctrl-C does in other displays."""
        os.kill(self._supervisor, signal.SIGINT)

    def leave(self) -> None:
        """End the screen, but not the run."""
        self._finish("left")

    def _listen(self, is_on: bool) -> None:
        loop, descriptor = asyncio.get_running_loop(), self._client.fileno()
        if is_on:
            loop.add_reader(descriptor, self._receive)
        else:
            loop.remove_reader(descriptor)

    def _ask(self) -> None:
        self._is_stale = False
        self.request("snapshot")

    def _measure(self) -> None:
        if self.session.model.in_state("running"):
            self.request("snapshot", usage=True)

    def _receive(self) -> None:
        items = self._client.receive()
        if items is None:
            self._finish("ended")
            return
        for item in items:
            if isinstance(item, dict):
                self._take_message(item)
            else:
                is_live = item.offset >= self._live_from.get(item.task, 0)
                self.session.output(item.task, item.data, is_live=is_live)
                self._room -= len(item.data)
        if self._room <= 0:
            self._listen(False)

    def _take_message(self, message: dict[str, Any]) -> None:
        match message.get("type"):
            case "event" | "watching":
                self._is_stale = True
                if message.get("event") == "step-started" and message["step"] == 0:
                    self.session.started(message["task"])
            case "skipped":
                self.session.skipped(message["task"], message["bytes"])
            case "ended":
                self.status = int(message.get("status", 0))
                self._finish("replaced" if message.get("replaced") else "ended")
            case "reply":
                self._take_reply(self._wanted.pop(message["id"], ""), message)

    def _take_reply(self, operation: str, message: dict[str, Any]) -> None:
        if (error := message.get("error")) is not None:
            if operation not in ("input", "resize"):
                self.session.refused(error["message"])
        elif operation == "subscribe":
            self._live_from = {each["task"]: each["end"] for each in message["result"]["output"]}
        elif operation == "snapshot":
            is_first = not self.session.model.tasks
            self.session.update(message["result"])
            if is_first:
                self.session.announce_size()
        self._canvas.draw()

    def _finish(self, why: str) -> None:
        self._listen(False)
        self._is_over = True
        self.exit(why)

    # --- drawing

    def _frame(self) -> None:
        if self._is_over:
            return
        if self._room <= 0:
            self._listen(True)
        self._room = _FRAME_BYTES
        if self._is_stale:
            self._ask()
        self.session.model.now += 1 / FRAMES_PER_S
        self._canvas.draw_output()
        self._frames += 1
        if self._frames % (FRAMES_PER_S // 4) == 0 and self.session.model.in_state("running"):
            self._canvas.draw()  # elapsed times


class _Run:
    """The run, as the session sees it."""

    def __init__(self, app: ScreenApp) -> None:
        self._app = app

    def send(self, operation: str, **arguments: Any) -> None:
        self._app.request(operation, **arguments)

    def interrupt(self) -> None:
        self._app.interrupt()


class _Desktop:
    """The user's terminal and browser, as the session sees them."""

    def __init__(self, app: ScreenApp) -> None:
        self._app = app

    def copy(self, text: str) -> None:
        self._app.copy_to_clipboard(text)

    def open_url(self, url: str) -> None:
        webbrowser.open(url)

    def suspend(self) -> None:
        with self._app.suspend():
            os.kill(0, signal.SIGTSTP)  # rt as well, which is in the same process group

    def leave(self) -> None:
        self._app.leave()
