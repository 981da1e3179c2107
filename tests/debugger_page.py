"""Drives the debugger's page in a browser, and sends requests to the program that is debugged."""

from __future__ import annotations

import json
import socket
import threading
import urllib.request
from typing import Any

from browser import Browser
from front_end import PATIENCE_S


class DebuggerPage:
    """The page of one program, and what a user does with it."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.place, _, _ = url.removeprefix("ws://").partition("/")
        self.page = browser.open(f"http://{self.place}/#{url.removeprefix('ws://')}")

    def await_state(self, state: str, text: str = "") -> None:
        self.page.until(
            f"document.querySelector('#status')?.dataset.state === {json.dumps(state)} "
            f"&& document.querySelector('#status').textContent.includes({json.dumps(text)})"
        )

    def open(self, name: str) -> None:
        self.page.click(element_with_text("#files [role=treeitem] .row", name))
        self.page.until(f"document.querySelector('.tab[data-selected]')?.innerText.trim() === {json.dumps(name)}")

    def line_number(self, line: int) -> str:
        """Return the expression for a line's number in the gutter."""
        return (
            "[...document.querySelector('#editor').shadowRoot.querySelectorAll('.cm-lineNumbers .cm-gutterElement')]"
            f".find((each) => each.textContent === '{line}' && each.offsetHeight)"
        )

    def set_breakpoint(self, line: int) -> None:
        """Click a line number, and wait until the program has set the breakpoint."""
        self.page.click(self.line_number(line))
        self.page.until("document.querySelector('#editor').shadowRoot.querySelector('.breakpoint')")
        self.page.until_text("#breakpoints", f":{line}")

    def edit_breakpoint(self, line: int, *, condition: str = "", log: str = "") -> None:
        self.page.click(self.line_number(line), button="right")
        self.page.until("document.querySelector('#breakpoint-dialog').open")
        for field, text in (("condition", condition), ("log", log)):
            if text:
                self.page.evaluate(f"document.querySelector('#breakpoint-{field}').focus()")
                self.page.type(text)
        self.page.press("Enter")

    def do(self, label: str) -> None:
        """Click a button of the toolbar."""
        self.page.click(f"document.querySelector('#tools [aria-label={json.dumps(label)}]')")

    def run_in_console(self, text: str) -> None:
        self.type_in_console(text)
        self.page.press("Enter")

    def type_in_console(self, text: str) -> None:
        self.page.evaluate("document.querySelector('#console-input').shadowRoot.querySelector('.cm-content').focus()")
        self.page.type(text)

    def await_message(self, text: str, level: str = "") -> None:
        """Wait for a message among the newest ones."""
        kind = f".{level}" if level else ""
        self.page.until(
            f"[...document.querySelectorAll('#console-list .entry')].slice(-20).some((each) => each.matches('.entry{kind}') "
            f"&& each.querySelector('.content').textContent.includes({json.dumps(text)}))"
        )

    def paused_line(self) -> Any:
        return self.page.until(
            "document.querySelector('#editor').shadowRoot.querySelector('.paused-line')?.textContent.trim()"
        )

    def close(self) -> None:
        assert self.page.problems() == []
        self.page.close()


def element_with_text(selector: str, text: str) -> str:
    return (
        f"[...document.querySelectorAll({json.dumps(selector)})]"
        f".find((each) => each.innerText.trim() === {json.dumps(text)})"
    )


class Request(threading.Thread):
    """A request that is sent while the test goes on."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self.body: str | None = None
        self.start()

    def run(self) -> None:
        with urllib.request.urlopen(self._url, timeout=PATIENCE_S * 2) as answer:
            self.body = answer.read().decode()

    def result(self) -> str | None:
        self.join(PATIENCE_S)
        return self.body


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port
