"""The debugger's page in headless Chromium. Skipped if no Chromium is installed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import SHIFT, Browser, chromium
from debugger_page import DebuggerPage, Request, free_port
from front_end import PATIENCE_S, url_of
from rig import Box

PROGRAM = chromium()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

SERVER = {
    "server.ts": """\
import { greet, type Person } from './lib/greet.ts';

interface Stats {
  count: number;
}

const stats: Stats = { count: 0 };

const server = RT.serve({
  port: 0,
  async fetch(request: Request): Promise<Response> {
    const person: Person = { name: new URL(request.url).searchParams.get('name') ?? 'you' };
    stats.count += 1;
    const text = greet(person);
    await Promise.resolve();
    return new Response(`${text} ${stats.count}`);
  },
});
console.log(`port ${server.port}`);
""",
    "lib/greet.ts": """\
export interface Person {
  name: string;
}

export function greet(person: Person): string {
  const shout = person.name.toUpperCase();
  return `Hello, ${shout}!`;
}
""",
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    assert PROGRAM is not None
    made = Browser(PROGRAM, tmp_path_factory.mktemp("chromium"))
    yield made
    made.close()


def serve(box: Box, browser: Browser) -> tuple[DebuggerPage, str]:
    """Start the server of the scenario under the debugger; return its page and its URL."""
    box.write(SERVER)
    program = box.start("--inspect=0", "server.ts")
    url = url_of(program)
    assert program.stdout is not None
    port = program.stdout.readline().decode().split()[1]
    page = DebuggerPage(browser, url)
    page.await_state("running")
    page.page.until_text("#files", "greet.ts")  # the last file: the tree no longer moves
    return page, f"http://127.0.0.1:{port}"


def test_the_scenario(box: Box, browser: Browser, tmp_path: Path) -> None:
    """A breakpoint in a handler: the request stays unfinished while its state is examined, step by step."""
    page, server = serve(box, browser)
    page.open("server.ts")
    page.page.until_text("#files", "greet.ts")
    assert "interface Stats" in page.page.evaluate("document.querySelector('#editor').shadowRoot.textContent")
    page.set_breakpoint(14)
    request = Request(f"{server}/?name=ada")
    page.await_state("paused", "on a breakpoint at server.ts:14")
    assert page.paused_line() == "const text = greet(person);"
    page.page.until_text("#scopes", "person")
    page.page.until_text("#scopes", "name: 'ada'")
    assert "fetch" in page.page.text("#call-stack")

    page.run_in_console("person.name + stats.count")
    page.await_message('"ada1"', "result")
    page.page.screenshot(tmp_path / "paused.png")

    page.do("Step into")
    page.await_state("paused", "greet.ts:6")
    page.page.until_text("#call-stack", "greet.ts:6")
    page.do("Step over")
    page.await_state("paused", "greet.ts:7")
    page.page.until_text("#scopes", 'shout: "ADA"')
    page.do("Step out")
    page.await_state("paused", "server.ts:15")  # the statement after the call, which the call was the last part of
    page.page.until_text("#scopes", 'text: "Hello, ADA!"')
    assert request.body is None  # unfinished all the time
    page.do("Continue")
    page.await_state("running")
    assert request.result() == "Hello, ADA! 1"

    names = page.page.evaluate(
        "[...new Set(performance.getEntriesByType('resource').map((each) => new URL(each.name).host))]"
    )
    assert names == [page.place]  # nothing is loaded from anywhere else
    page.close()


def test_conditions_and_log_points(box: Box, browser: Browser) -> None:
    page, server = serve(box, browser)
    page.open("server.ts")
    page.edit_breakpoint(13, log="'seen', person.name")
    page.edit_breakpoint(14, condition="person.name === 'bob'")
    page.page.until("document.querySelector('#editor').shadowRoot.querySelectorAll('.breakpoint').length === 2")
    assert Request(f"{server}/?name=ada").result() == "Hello, ADA! 1"
    page.await_message("seen ada", "log")
    request = Request(f"{server}/?name=bob")
    page.await_state("paused", "server.ts:14")
    page.await_message("seen bob", "log")
    page.page.press("F8")
    assert request.result() == "Hello, BOB! 2"

    page.edit_breakpoint(14, condition=" ===")
    page.page.until_text("#breakpoint-problem", "SyntaxError")
    page.page.press("Escape")
    page.close()


def test_values_can_be_changed_and_watched(box: Box, browser: Browser) -> None:
    page, server = serve(box, browser)
    page.open("greet.ts")
    page.set_breakpoint(7)
    page.page.evaluate("document.querySelector('.watch-input').focus()")
    page.page.type("shout.length")
    page.page.press("Enter")
    page.page.until_text("#watches", "shout.length: not available")
    request = Request(f"{server}/?name=ada")
    page.await_state("paused", "greet.ts:7")
    page.page.until_text("#watches", "shout.length: 3")
    page.page.click(
        "[...document.querySelectorAll('#scopes .property')].find((each) => each.innerText === 'shout: \"ADA\"')",
        count=2,
    )
    page.page.until("document.activeElement?.classList.contains('edit')")
    page.page.type("person.name + '!'")
    page.page.press("Enter")
    page.page.until_text("#scopes", 'shout: "ada!"')
    page.page.press("F8")
    assert request.result() == "Hello, ada!! 1"
    page.close()


def test_the_console_completes_in_the_paused_frame(box: Box, browser: Browser) -> None:
    page, server = serve(box, browser)
    page.open("greet.ts")
    page.set_breakpoint(7)
    request = Request(f"{server}/?name=ada")
    page.await_state("paused", "greet.ts:7")
    page.type_in_console("sho")
    options = "document.querySelector('#console-input').shadowRoot.querySelector('.cm-tooltip-autocomplete')"
    page.page.until(f"{options}?.innerText.includes('shout')")
    page.page.press("Tab")
    page.page.type(".toLow")
    page.page.until(f"{options}?.innerText.includes('toLowerCase')")
    page.page.press("Tab")
    page.page.type("()")
    page.page.press("Enter")
    page.await_message('"ada"', "result")
    page.page.press("ArrowUp")
    written = "document.querySelector('#console-input').shadowRoot.querySelector('.cm-content').innerText"
    assert page.page.until(written) == "shout.toLowerCase()"
    page.page.press("F8")
    assert request.result() == "Hello, ADA! 1"
    page.close()


def test_exceptions_pause(box: Box, browser: Browser) -> None:
    box.write(
        {
            "a.ts": """\
function fail(reason: string): never {
  throw new TypeError(reason);
}
process.stdin.on('data', () => {
  try {
    fail('no luck');
  } catch {
    console.log('caught');
  }
});
"""
        }
    )
    program = box.start("--inspect=0", "a.ts", stdin=subprocess.PIPE)
    page = DebuggerPage(browser, url_of(program))
    page.await_state("running")
    page.page.evaluate(
        "((select) => { select.value = 'all'; select.dispatchEvent(new Event('change')); })"
        "(document.querySelector('#exceptions'))"
    )
    page.run_in_console("'the choice has arrived'")
    page.await_message("the choice has arrived", "result")
    assert program.stdin is not None
    program.stdin.write(b"go\n")
    program.stdin.flush()
    page.await_state("paused", "on TypeError: no luck at a.ts:2")
    page.page.press("F8")
    page.await_message("caught", "log")
    page.close()


def test_the_asynchronous_part_of_the_call_stack(box: Box, browser: Browser) -> None:
    box.write(
        {
            "a.ts": """\
async function outer(): Promise<void> {
  await inner();
}
async function inner(): Promise<void> {
  await null;
  debugger;
}
void outer();
"""
        }
    )
    page = DebuggerPage(browser, url_of(box.start("--inspect-wait=0", "a.ts")))
    page.await_state("paused", "a.ts:6")
    page.page.until_text("#call-stack", "outer")
    assert [line for line in page.page.text("#call-stack").splitlines() if line in ("inner", "outer")] == [
        "inner",
        "outer",
    ]
    page.page.press("F8")
    page.close()


def test_workers(box: Box, browser: Browser) -> None:
    box.write(
        {
            "main.ts": """\
import { Worker } from 'node:worker_threads';
new Worker(new URL('./worker.ts', import.meta.url)).on('exit', (status) => console.log('worker ended', status));
""",
            "worker.ts": "const inside: number = 7;\ndebugger;\nconsole.log('inside', inside);\n",
        }
    )
    page = DebuggerPage(browser, url_of(box.start("--inspect-wait=0", "main.ts")))
    page.await_state("paused", "worker.ts:2")
    assert "paused" in page.page.text("#threads")
    page.page.until_text("#scopes", "inside: 7")
    page.run_in_console("inside * 6")
    page.await_message("42", "result")
    page.page.press("F8")
    page.await_message("inside 7", "log")
    page.await_message("worker ended 0", "log")
    page.close()


@pytest.mark.parametrize("port", ["given", "any"])
def test_breakpoints_hold_when_the_program_is_restarted(box: Box, browser: Browser, port: str) -> None:
    """With `--watch`: the page finds the program again, and pauses at the line where the breakpoint was."""
    source = "let n: number = 1;\nsetInterval(() => {\n  n += 1;\n}, 10);\n"
    box.write({"a.ts": "interface Unused {\n  n: number;\n}\n" + source})
    page = DebuggerPage(
        browser, url_of(box.start("--watch", f"--inspect={free_port() if port == 'given' else 0}", "a.ts"))
    )
    page.await_state("running")
    page.open("a.ts")
    page.set_breakpoint(6)
    page.await_state("paused", "a.ts:6")
    box.write({"a.ts": "interface Unused {\n  n: number;\n}\n" + source.replace("n += 1;", "n += 2;")})
    page.await_message("started again", "mark")
    page.await_state("paused", "a.ts:6")
    page.page.until(
        "document.querySelector('#editor').shadowRoot.querySelector('.paused-line')?.textContent.includes('n += 2')"
    )
    page.close()


def test_breakpoints_are_set_before_the_program_runs(box: Box, browser: Browser) -> None:
    """A source map is known only when a script has been compiled: V8 pauses there until breakpoints are corrected."""
    box.write({"a.ts": "interface Unused {\n  n: number;\n}\nconst n: number = 1;\nconsole.log('ran', n);\n"})
    url = url_of(box.start("--inspect-wait=0", "a.ts"))
    place = url.removeprefix("ws://")
    page = browser.open(f"http://{place.partition('/')[0]}/icon.svg")  # the same origin, without the page's script
    stored = [{"url": f"file://{box.folder.resolve()}/a.ts", "line": 4, "condition": "", "log": "", "isEnabled": True}]
    page.until("location.pathname === '/icon.svg'")
    page.evaluate(f"localStorage.setItem('rt-debugger.breakpoints', {json.dumps(json.dumps(stored))})")
    page.visit(f"http://{place.partition('/')[0]}/#{place}")
    page.until("document.querySelector('#status')?.textContent.includes('on a breakpoint at a.ts:5')")
    page.press("F8")
    page.until_text("#console-list", "ran 1")
    page.close()


def test_many_messages_and_a_large_source(box: Box, browser: Browser) -> None:
    """The console keeps the newest messages; a source of 5 MB opens at any line."""
    line = "export const value = { name: 'a line of a large source', number: 12345 }; // and a comment\n"
    big = "".join(line.replace("value", f"value{number}", 1) for number in range(5_000_000 // len(line)))
    box.write(
        {
            "big.mjs": big,
            "a.mjs": "import './big.mjs';\nglobalThis.print = () => { for (let n = 0; n < 10_500; n++) console.log('message', n); };\n"
            "setInterval(() => {}, 1e6);\n",
        }
    )
    page = DebuggerPage(browser, url_of(box.start("--inspect-wait=0", "a.mjs", stdout=subprocess.DEVNULL)))
    page.await_state("running")
    page.open("big.mjs")
    page.page.until("document.querySelector('#editor').shadowRoot.textContent.includes('value0 ')")
    page.run_in_console("print()")
    page.await_message("message 10499", "log")
    page.page.until("document.querySelectorAll('#console-list .entry').length === 10000")
    page.page.until_text("#console-dropped", "older messages were dropped")
    page.run_in_console("6 * 7")
    page.await_message("42", "result")
    page.page.evaluate("document.querySelector('#console-filter').focus()")
    page.page.type("message 1049")
    # What `innerText` contains is laid out: matches are neither skipped nor far below the visible part.
    page.page.until("document.querySelector('#console-list').innerText.match(/message/g)?.length === 11")
    page.page.until(
        "(({ scrollHeight, clientHeight }) => scrollHeight < 2 * clientHeight)(document.querySelector('#console-scroller'))"
    )
    page.close()


RELAY = """\
const server = RT.serve({
  port: 0,
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/inner') return new Response(`got ${await request.text()}`);
    if (pathname === '/refused') return fetch('http://127.0.0.1:1/').catch(() => new Response('refused'));
    return fetch(`${server.url}inner`, { method: 'POST', body: 'sent' });
  },
});
console.log(`port ${server.port}`);
"""


def test_the_network(box: Box, browser: Browser) -> None:
    """Requests that the program sends and serves, and their details."""
    box.write({"relay.ts": RELAY})
    program = box.start("--inspect=0", "relay.ts")
    page = DebuggerPage(browser, url_of(program))
    assert program.stdout is not None
    port = program.stdout.readline().decode().split()[1]
    page.await_state("running")
    page.page.click("document.querySelector('#network-tab')")
    page.page.until_text("#network-note", "Requests appear here")
    assert Request(f"http://127.0.0.1:{port}/outer").result() == "got sent"
    for text in ("/outer", "Document", "/inner", "Fetch"):
        page.page.until_text("#network-rows", text)
    rows = "[...document.querySelectorAll('#network-rows tr')]"
    page.page.click(f"{rows}.find((row) => row.innerText.includes('Fetch')).querySelector('button')")
    for text in ("POST", "200", "Request body", "sent", "Response body", "got sent"):
        page.page.until_text("#network-details", text)
    assert Request(f"http://127.0.0.1:{port}/refused").result() == "refused"
    page.page.until_text("#network-rows", "ECONNREFUSED")
    page.close()


def test_a_profile(box: Box, browser: Browser) -> None:
    box.write(
        {
            "a.ts": """\
export function busy(until: number): void {
  while (performance.now() < until);
}
setInterval(() => busy(performance.now() + 5), 10);
"""
        }
    )
    page = DebuggerPage(browser, url_of(box.start("--inspect=0", "a.ts")))
    page.await_state("running")
    page.page.click("document.querySelector('#profile-tab')")
    page.page.click("document.querySelector('#profile-record')")
    page.page.until_text("#profile-record", "Stop")
    page.page.click("document.querySelector('#console-tab')")
    page.run_in_console("await new Promise((resolve) => setTimeout(resolve, 200))")
    page.await_message("undefined", "result")
    page.page.click("document.querySelector('#profile-tab')")
    page.page.click("document.querySelector('#profile-record')")
    page.page.until("document.querySelector('#profile-chart canvas')?.offsetWidth > 0")
    page.page.evaluate(
        "((select) => { select.value = 'functions'; select.dispatchEvent(new Event('change')); })"
        "(document.querySelector('#profile-kind'))"
    )
    page.page.until_text("#profile-rows", "busy")
    assert "a.ts:1" in page.page.text("#profile-rows")
    page.close()


def test_a_program_that_ends_is_left(box: Box, browser: Browser) -> None:
    """A program waits for its debuggers at its end; an open page does not keep it."""
    box.write({"a.ts": "debugger;\nconsole.log('last words');\n"})
    program = box.start("--inspect-wait=0", "a.ts")
    page = DebuggerPage(browser, url_of(program))
    page.await_state("paused", "a.ts:1")
    page.page.press("F8")
    assert program.communicate(timeout=PATIENCE_S)[0] == b"last words\n"
    page.await_state("lost")
    page.await_message("The program has ended", "mark")
    page.await_message("last words", "log")
    page.page.close()


def test_the_keyboard_is_enough(box: Box, browser: Browser) -> None:
    """A breakpoint on the line of the cursor, and a file opened by a part of its path."""
    page, server = serve(box, browser)
    page.page.press("p", modifiers=2)
    page.page.until("document.querySelector('#open-dialog').open")
    page.page.type("greet")
    page.page.until("document.querySelectorAll('#open-list li').length === 1")
    page.page.press("Enter")
    page.page.until("document.querySelector('.tab[data-selected]')?.innerText.trim() === 'greet.ts'")
    page.page.click("document.querySelector('#editor').shadowRoot.querySelectorAll('.cm-line')[5]")
    page.page.press("F9")
    page.page.until_text("#breakpoints", "greet.ts:6")
    request = Request(server)
    page.await_state("paused", "greet.ts:6")
    page.page.press("F11", modifiers=SHIFT)
    page.await_state("paused", "server.ts")
    page.page.press("F8")
    assert request.result() == "Hello, YOU! 1"
    page.close()
