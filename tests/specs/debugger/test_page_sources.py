"""The debugger's page in headless Chromium: compiled files with source maps, and breakpoints within a line."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

import pytest
from browser import Browser, chromium
from debugger_page import DebuggerPage
from front_end import url_of
from rig import Box

PROGRAM = chromium()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

SOURCE = """\
interface Item { n: number }
export function add(a: number, b: number): number {
  const sum: number = a + b;
  return sum;
}
console.log(add(1, 2));
setInterval(() => add(3, 4), 50);
"""
COMPILED = """\
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.add = add;
function add(a, b) {
    const sum = a + b;
    return sum;
}
console.log(add(1, 2));
setInterval(() => add(3, 4), 50);
"""
MAPPINGS = (
    ";;;AACA,aAAoB,CAAS,EAAE,CAAS;IACtC,MAAM,GAAG,GAAW,CAAC,GAAG,CAAC,CAAC;IAC1B,OAAO,GAAG,CAAC;AACb,CAAC;"
    "AACD,OAAO,CAAC,GAAG,CAAC,GAAG,CAAC,CAAC,EAAE,CAAC,CAAC,CAAC,CAAC;AACvB,WAAW,CAAC,GAAG,EAAE,CAAC,GAAG,CAAC,CAAC,EAAE,CAAC,CAAC,EAAE,EAAE,CAAC,CAAC"
)
MAP = {"version": 3, "file": "a.js", "sourceRoot": "", "sources": ["../src/a ä.ts"], "names": [], "mappings": MAPPINGS}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert PROGRAM is not None
    made = Browser(PROGRAM, tmp_path_factory.mktemp("chromium"))
    yield made
    made.close()


def compiled(box: Box, where: str, has_texts: bool) -> None:
    """Write what a compiler makes: the map in a file or in the script, the source in a file or in the map."""
    source_map = json.dumps(MAP | ({"sourcesContent": [SOURCE]} if has_texts else {}))
    inline = base64.b64encode(source_map.encode()).decode()
    url = f"data:application/json;base64,{inline}" if where == "script" else "a.js.map"
    box.write({"dist/a.js": f"{COMPILED}//# sourceMappingURL={url}"})
    if where == "file":
        box.write({"dist/a.js.map": source_map})
    if not has_texts:
        box.write({"src/a ä.ts": SOURCE})


@pytest.mark.parametrize("is_worker", [False, True], ids=["main", "worker"])
@pytest.mark.parametrize("has_texts", [True, False], ids=["texts", "no texts"])
@pytest.mark.parametrize("where", ["script", "file"])
def test_a_compiled_file_is_debugged_as_its_source(
    box: Box, browser: Browser, where: str, has_texts: bool, is_worker: bool
) -> None:
    compiled(box, where, has_texts)
    box.write({"main.cjs": "new (require('worker_threads').Worker)('./dist/a.js');"})
    program = box.start("--inspect=0", "main.cjs" if is_worker else "dist/a.js")
    page = DebuggerPage(browser, url_of(program))
    page.await_state("running")
    page.await_message("3", "log")
    page.page.until_text("#console-list", "a ä.ts:6")
    page.open("a ä.ts")
    assert "interface Item" in page.page.evaluate("document.querySelector('#editor').shadowRoot.textContent")
    page.set_breakpoint(3)
    page.await_state("paused", "a ä.ts:3")
    assert page.paused_line() == "const sum: number = a + b;"
    page.page.until_text("#scopes", "a: 3")
    page.do("Step over")
    page.await_state("paused", "a ä.ts:4")
    page.do("Step out")
    page.await_state("paused", "a ä.ts:7")
    page.close()


def test_a_breakpoint_in_a_compiled_file_that_is_not_loaded_yet(box: Box, browser: Browser) -> None:
    """The map is loaded while V8 pauses before the module: the first statement is not missed."""
    compiled(box, "file", has_texts=False)
    module = COMPILED.replace("exports.add = add;", "export { add };").replace(
        "Object.defineProperty(exports, ", "void ("
    )
    box.write({"dist/a.js": f"{module}//# sourceMappingURL=a.js.map", "package.json": {"type": "module"}})
    url = url_of(box.start("--inspect-wait=0", "dist/a.js"))
    place = url.removeprefix("ws://")
    page = browser.open(f"http://{place.partition('/')[0]}/icon.svg")  # the same origin, without the page's script
    folder = box.folder.resolve().as_uri()
    source = f"{folder}/src/a ä.ts"  # as a map resolves it
    stored = [{"url": source, "line": 5, "condition": "", "log": "", "isEnabled": True}]
    page.until("location.pathname === '/icon.svg'")
    page.evaluate(f"localStorage.setItem('rt-debugger.breakpoints', {json.dumps(json.dumps(stored))})")
    page.visit(f"http://{place.partition('/')[0]}/#{place}")
    page.until("document.querySelector('#status')?.textContent.includes('on a breakpoint at a ä.ts:6')")
    page.close()


@pytest.mark.parametrize("lacks", ["map", "source"])
def test_a_map_that_leads_nowhere_is_ignored(box: Box, browser: Browser, lacks: str) -> None:
    """Packages name maps, and maps name sources, that are not in them."""
    box.write({"dist/a.js": f"{COMPILED}//# sourceMappingURL=a.js.map"})
    if lacks == "source":
        box.write({"dist/a.js.map": json.dumps(MAP)})
    page = DebuggerPage(browser, url_of(box.start("--inspect=0", "dist/a.js")))
    page.await_state("running")
    page.open("a.js")
    page.set_breakpoint(6)
    page.await_state("paused", "a.js:6")
    assert page.paused_line() == "return sum;"
    page.close()


SPOTS = "[...document.querySelector('#editor').shadowRoot.querySelectorAll('.spot')]"
LINE = "export const f = (n: number): number => n + 1;\nsetInterval(() => { const a: number = f(1); f(a); }, 20);\n"


def test_breakpoints_within_a_line(box: Box, browser: Browser) -> None:
    box.write({"a.ts": LINE})
    page = DebuggerPage(browser, url_of(box.start("--inspect=0", "a.ts")))
    page.await_state("running")
    page.open("a.ts")
    page.set_breakpoint(2)
    page.page.until(f"{SPOTS}.length > 3")
    columns = page.page.evaluate(f"{SPOTS}.map((each) => Number(/column (\\d+)/.exec(each.title)[1]) - 1)")
    text = LINE.splitlines()[1]
    assert columns == sorted(columns) and columns[0] == 0
    call = text.index("f(1)")
    assert {text.index("f(1)"), text.rindex("f(a)")} <= set(columns), columns
    pressed = f"{SPOTS}.map((each) => each.getAttribute('aria-pressed')).join()"
    assert page.page.evaluate(pressed) == ",".join(["true"] + ["false"] * (len(columns) - 1))

    index = columns.index(call)
    page.page.click(f"{SPOTS}[{index}]")
    page.await_state("paused", "a.ts:2")
    page.page.until_text("#breakpoints", f"a.ts:2:{call + 1}")
    column = "document.querySelector('#editor').shadowRoot.querySelector('.paused-at')?.textContent"
    assert page.page.until(column) == "f"

    # A separate condition: the other breakpoint of the line is not affected.
    page.page.click(f"{SPOTS}[{index}]", button="right")
    page.page.until("document.querySelector('#breakpoint-dialog').open")
    assert page.page.text("#breakpoint-place") == f"a.ts:2:{call + 1}"
    page.page.evaluate("document.querySelector('#breakpoint-condition').focus()")
    page.page.type("false")
    page.page.press("Enter")
    page.page.until(f"{SPOTS}[{index}].classList.contains('condition')")
    page.page.press("F8")
    page.await_state("running")
    page.page.click(f"{SPOTS}[{index}]")
    page.page.until(f"{SPOTS}[{index}].classList.contains('free')")

    # The keyboard: at the cursor.
    page.page.evaluate(
        "(() => { const root = document.querySelector('#editor').shadowRoot; root.querySelector('.cm-content').focus(); })()"
    )
    page.page.press("End")
    page.page.press("F9", modifiers=1)
    page.await_state("paused", "a.ts:2")
    assert len([each for each in page.page.text("#breakpoints").splitlines() if "a.ts:2" in each]) == 2
    page.page.click(page.line_number(2))  # removes all of the line
    page.page.until_text("#breakpoints", "Click a line number")
    page.page.until(f"{SPOTS}.length === 0")
    page.page.press("F8")
    page.await_state("running")
    page.close()
