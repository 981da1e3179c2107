"""A headless Chromium that tests drive over its own debugging protocol, and a page in it.

Waiting happens in the page: a condition is evaluated at each frame of the screen until it is true. Everything that a page reports as
an error, including violations of its content security policy, is collected.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

from front_end import PATIENCE_S, FrontEnd

FLAGS = (
    "--headless",
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
KEYS = {
    "Enter": 13,
    "Escape": 27,
    "ArrowUp": 38,
    "ArrowDown": 40,
    "Tab": 9,
    "F8": 119,
    "F9": 120,
    "F10": 121,
    "F11": 122,
}
TEXTS = {"Enter": "\r", "Tab": "\t"}
SHIFT = 8


def chromium() -> str | None:
    """Return the path of Chromium; None if it is not installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One process of the browser; `folder` takes its profile."""

    def __init__(self, program: str, folder: Path) -> None:
        command = [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := re.search(rb"DevTools listening on ws://([^/]+)/", line):
                self._place = found[1].decode()
                return
        raise AssertionError("the browser has ended")

    def open(self, url: str, width: int = 1280, height: int = 800) -> Page:
        """Open a page in a new tab."""
        request = urllib.request.Request(f"http://{self._place}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            target = json.loads(answer.read())
        page = Page(FrontEnd(target["webSocketDebuggerUrl"]))
        page.resize(width, height)
        page.visit(url)
        return page

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Page:
    """A page, with what a user does to it."""

    def __init__(self, front: FrontEnd) -> None:
        self.front = front
        for domain in ("Page", "Runtime", "Log"):
            front.do(f"{domain}.enable")

    def visit(self, url: str) -> None:
        self.front.do("Page.navigate", url=url)

    def resize(self, width: int, height: int) -> None:
        self.front.do(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def evaluate(self, expression: str) -> Any:
        """Return the JSON value of an expression of the page; of a promise, its result."""
        done = self.front.do("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise AssertionError(done["exceptionDetails"]["exception"].get("description", done))
        return done["result"].get("value")

    def until(self, condition: str) -> Any:
        """Wait until an expression is true; return its value."""
        try:
            return self.evaluate(
                f"new Promise((resolve) => (function check() {{ const value = ({condition}); "
                "if (value) resolve(value); else requestAnimationFrame(check); })())"
            )
        except TimeoutError:
            raise AssertionError(f"never true: {condition}\n{self.text('body')}") from None

    def text(self, selector: str) -> str:
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def until_text(self, selector: str, part: str) -> None:
        """Wait until the element's text contains `part`."""
        self.until(f"document.querySelector({json.dumps(selector)})?.innerText.includes({json.dumps(part)})")

    def click(self, element: str, button: str = "left", count: int = 1) -> None:
        """Wait for an element, an expression of the page, and click its middle."""
        at = self.until(
            f"(() => {{ const found = ({element}); if (!found) return null; found.scrollIntoView({{block: 'nearest'}}); "
            "const box = found.getBoundingClientRect(); "
            "return box.width && [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        place = {"x": at[0], "y": at[1], "button": button}
        self.front.do("Input.dispatchMouseEvent", type="mouseMoved", x=at[0], y=at[1])
        for each in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.front.do("Input.dispatchMouseEvent", type=kind, clickCount=each, **place)

    def press(self, key: str, modifiers: int = 0) -> None:
        number = KEYS.get(key, ord(key[0].upper()))
        shared = {"key": key, "code": key, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        text = {"text": TEXTS[key]} if key in TEXTS else {}
        self.front.do("Input.dispatchKeyEvent", type="keyDown", **shared, **text)
        self.front.do("Input.dispatchKeyEvent", type="keyUp", **shared)

    def type(self, text: str) -> None:
        """Insert text where the focus is, as a keyboard without keys does."""
        self.front.do("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.front.do("Page.captureScreenshot")["data"]))

    def problems(self) -> list[str]:
        """Return what the page has reported as errors so far."""
        self.evaluate("1")  # the events before this reply have arrived
        found = []
        for event in self.front.events:
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded" and params["entry"]["level"] == "error":
                found.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
            elif event["method"] == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
                found.append(str(params["args"]))
        return found

    def close(self) -> None:
        self.front.do("Page.close")
