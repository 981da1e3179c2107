"""The server: its banner, its pages, allowed hosts, addresses that cannot be listened on, and clients that violate
the protocol.
"""

from __future__ import annotations

import re
import socket
import struct
import subprocess
import threading
import urllib.request

import pytest
from front_end import FrontEnd, page_of, url_of
from rig import Box

WAITING = "setInterval(() => {}, 1000);"


def test_the_banner_and_the_pages(box: Box) -> None:
    box.write({"a.cjs": WAITING})
    program = box.start("--inspect=0", "a.cjs")
    lines = banner_of(program)
    url = lines[2].strip()
    place = url.removeprefix("ws://")
    host = place.partition("/")[0]
    assert lines[0] == lines[5] and set(lines[0]) >= {"-"}
    assert lines[1:5] == ["Listening:", f"  {url}", "Inspect in browser:", f"  http://{host}/#{place}"]
    [page] = page_of(url, "/json")[1]
    assert page == page_of(url, "/json/list")[1][0]
    assert page["webSocketDebuggerUrl"] == url
    assert (page["type"], page["title"], page["url"]) == ("node", "a.cjs", f"file://{box.folder.resolve()}/a.cjs")
    assert page["devtoolsFrontendUrl"].endswith(f"ws={place}")
    assert page_of(url, "/json/version")[1]["Protocol-Version"] == "1.1"
    domains = {each["domain"]: each for each in page_of(url, "/json/protocol")[1]["domains"]}
    assert {"name": "setBreakpointByUrl"} in domains["Debugger"]["commands"]
    assert page_of(url, "/json", Host="localhost:1")[0] == 200
    # a page whose name resolves to this address (DNS rebinding)
    assert page_of(url, "/json", Host="example.org")[0] == 400
    assert page_of(url, "/nothing")[0] == 400


def banner_of(program: subprocess.Popen[bytes]) -> list[str]:
    assert program.stderr is not None
    return [program.stderr.readline().decode().rstrip("\n") for _ in range(6)]


def test_the_page_that_the_banner_names(box: Box) -> None:
    """A flag overrides the environment, which overrides the config file; the form is {debugger_ui_url}#host:port/path."""
    box.write({"a.cjs": WAITING})

    def page(*flags: str, **environment: str) -> str:
        lines = banner_of(box.start("--inspect=127.0.0.1:0/x", *flags, "a.cjs", environment=environment))
        address, _, place = lines[4].strip().partition("#")
        assert f"ws://{place}" == lines[2].strip()
        return address

    assert page(RT_DEBUGGER_UI="https://debug.example/") == "https://debug.example/"
    box.write({"rtfig.toml": '[debug]\nui = "https://file.example/ui"\n'})
    assert page() == "https://file.example/ui"
    assert page(RT_DEBUGGER_UI="https://debug.example/") == "https://debug.example/"
    assert page("--inspect-ui=http://flag.example", RT_DEBUGGER_UI="https://debug.example/") == "http://flag.example"
    box.write({"rtfig.toml": '[debug]\nui = "nowhere"\n'})
    ran = box.run("a.cjs")
    assert (ran.returncode, ran.stderr.decode()) == (
        1,
        'error: rtfig.toml:2: Invalid value for --inspect-ui: "nowhere". Must be an http: or https: URL without "#"\n',
    )


def test_the_files_of_the_page(box: Box) -> None:
    """They are served to this machine's names only, with a policy that keeps other sites out."""
    box.write({"a.cjs": WAITING})
    url = url_of(box.start("--inspect=0", "a.cjs"))
    host = url.removeprefix("ws://").partition("/")[0]
    with urllib.request.urlopen(f"http://{host}/") as answer:
        assert answer.headers["Content-Type"] == "text/html; charset=UTF-8"
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self';" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert b"<html" in answer.read()
    assert page_of(url, "/", Host="example.org")[0] == 400
    for path in ("/../__init__.py", "/%2e%2e/__init__.py", "/.hidden.js", "//etc/passwd", "/missing.js"):
        assert page_of(url, path)[0] == 400, path


def status_of(url: str, *headers: str) -> str:
    """Return the first line of the answer to a WebSocket handshake with these headers."""
    host, _, rest = url.removeprefix("ws://").partition(":")
    port, _, path = rest.partition("/")
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    head = [f"GET /{path} HTTP/1.1", *headers, "Upgrade: websocket", "Connection: Upgrade", key, "", ""]
    with socket.create_connection((host, int(port))) as client:
        client.sendall("\r\n".join(head).encode())
        return client.recv(1 << 16).decode().partition("\r\n")[0]


# Names that a web page could have its own DNS server resolve to this machine, and texts that look like its address.
OTHER_HOSTS = [
    "localhost6",
    "localhost6:1",
    "example.org",
    "localhost.example.org",
    "localhost.",
    "[::1].evil.com",
    "[::1]x",
    "[::1",
    "[]",
    "[evil.com]",
    "127.0.0.1.evil.com",
    "127.1",
    "0177.0.0.1",
    "1.1.1.256",
    "127.0.0.1:x",
    "localhost:x",
    "localhost:1:2",
    "::1",
    "evil.com:localhost",
    "localhost@evil.com",
]
OTHER_ORIGINS = ("null", "HTTP://evil.com", "http://localhost.evil.com", "file://", "http://")


def test_web_pages_cannot_reach_the_debugger(box: Box) -> None:
    box.write({"a.cjs": WAITING})
    program = box.start("--inspect=0", "a.cjs")
    url = url_of(program)
    accepted, refused = "HTTP/1.1 101 Switching Protocols", "HTTP/1.0 400 Bad Request"
    for headers in (
        ["Host: localhost"],
        ["Host: [::1]:9229", "Origin: devtools://devtools"],
        ["Host: 127.0.0.1", "Origin: http://localhost:3000"],
        ["Host: 10.0.0.1:80", "Origin: vscode-file://vscode-app"],
        ["Host: LOCALHOST:9229", "Origin: http://127.0.0.1"],
        ["Host: localhost:"],
        ["Host: [::1]"],
    ):
        assert status_of(url, *headers) == accepted, headers
    for headers in (
        *([f"Host: {host}"] for host in OTHER_HOSTS),
        ["Host: localhost", "Host: evil.com"],
        ["Host: evil.com", "Host: localhost"],
        ["Host: localhost", "Origin: https://evil.com"],
        *(["Host: localhost", f"Origin: {origin}"] for origin in OTHER_ORIGINS),
        ["Host: localhost", "Origin: devtools://devtools", "Origin: https://evil.com"],
    ):
        assert status_of(url, *headers) == refused, headers


def test_only_files_of_the_page_are_served(box: Box) -> None:
    box.write({"a.cjs": WAITING})
    address = url_of(box.start("--inspect=0", "a.cjs")).split("/")[2]

    def answer(path: str) -> str:
        host, _, port = address.rpartition(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            return client.recv(1 << 16).decode(errors="replace")

    page = answer("/")
    assert page.startswith("HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=UTF-8\r\n")
    (script,) = re.findall(r'<script[^>]* src="([^"]+)"', answer("/index.html"))[:1]
    path = f"/{script.removeprefix('./').removeprefix('/')}"
    assert answer(path).startswith("HTTP/1.0 200 OK\r\nContent-Type: text/javascript")
    for other in (
        "../cli.py",
        f"x/..{path}",
        ".hidden.js",
        f"/{path}",
        "etc/passwd",
        f"%2e%2e{path}",
        "a\\b.js",
        "a/.",
        "none.js",
    ):
        assert answer(f"/{other}").startswith("HTTP/1.0 400"), other


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]"])
def test_a_wildcard_address_is_warned_about(box: Box, host: str) -> None:
    ran = box.run(f"--inspect={host}:0", "-e", "0")
    first = ran.stderr.decode().splitlines()[0]
    if "failed" not in first:  # a machine without IPv6
        assert first == f"warn: the debugger listens on {host}: any host that can reach it can run code in this program"
    for loopback in ("localhost", "127.0.0.2"):
        assert b"warn" not in box.run(f"--inspect={loopback}:0", "-e", "0").stderr
    assert b"warn" not in box.run("--inspect=0", "-e", "0").stderr


@pytest.mark.parametrize(
    "flag, status, words",
    [
        ("--inspect=80", 9, 'Invalid value for --inspect: "80". The port must be 0 or in the range 1024 to 65535.'),
        ("--inspect-brk=127.0.0.1:x", 9, "Invalid value for --inspect-brk"),
        ("--inspect-port=70000", 9, "Invalid value for --inspect-port"),
        ("--inspect=1.2.3.4:0", 0, "Starting inspector on 1.2.3.4:0 failed: address not available"),
        ("--inspect=nowhere.invalid:0", 0, 'Unable to resolve "nowhere.invalid"'),
    ],
)
def test_invalid_addresses(box: Box, flag: str, status: int, words: str) -> None:
    ran = box.run(flag, "-e", "console.log('ran')")
    assert (ran.returncode, ran.stdout) == (status, b"" if status else b"ran\n")
    assert words in ran.stderr.decode()


def test_a_port_in_use(box: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        words = f"Starting inspector on 127.0.0.1:{port} failed: address already in use\n"
        for flag in ("--inspect", "--inspect-wait", "--inspect-brk"):
            ran = box.run(f"{flag}={port}", "-e", "console.log('ran')")
            assert (ran.returncode, ran.stdout, ran.stderr.decode()) == (0, b"ran\n", words)
        ran = box.run("-e", "console.log('ran')", environment={"NODE_OPTIONS": f"--inspect={port}"})
        assert (ran.returncode, ran.stdout, ran.stderr.decode()) == (0, b"ran\n", words)


def test_an_address_with_a_path_and_requests_for_another(box: Box) -> None:
    box.write({"a.cjs": "console.log('ran')"})
    program = box.start("--inspect-wait=localhost:0/mine", "a.cjs")
    url = url_of(program)
    assert url.startswith("ws://localhost:") and url.endswith("/mine")
    assert FrontEnd(url + "x").head.startswith(b"HTTP/1.0 400")
    front = FrontEnd(url)
    front.do("Runtime.enable")
    assert front.do("Runtime.evaluate", expression="1 + 1")["result"]["value"] == 2
    front.begin()
    front.await_event("Runtime.executionContextDestroyed")
    front.close()
    assert program.communicate(timeout=60)[0] == b"ran\n"


def test_the_port_is_known_to_the_program(box: Box) -> None:
    ran = box.run("--inspect=0", "-p", "process.debugPort")
    port = ran.stderr.decode().partition("ws://127.0.0.1:")[2].partition("/")[0]
    assert ran.stdout.decode() == f"{port}\n"
    assert box.run("--inspect-port=7777", "-p", "process.debugPort").stdout == b"7777\n"
    assert box.run("-p", "process.debugPort").stdout == b"9229\n"


def test_node_options(box: Box) -> None:
    ran = box.run("-p", "require('node:inspector').url()", environment={"NODE_OPTIONS": "--inspect=0"})
    assert ran.stdout.startswith(b"ws://127.0.0.1:")
    box.write({"package.json": {"scripts": {"a": "rt a.cjs"}}, "a.cjs": "console.log(process.debugPort > 0)"})
    ran = box.run("run", "a", environment={"NODE_OPTIONS": "--inspect=0"})
    assert ran.stdout == b"true\n"
    assert ran.stderr.count(b"Listening:\n") == 1  # the program's: rt itself runs no JavaScript


def test_clients_that_violate_the_protocol(box: Box) -> None:
    box.write({"a.cjs": WAITING})
    url = url_of(box.start("--inspect=0", "a.cjs"))
    front = FrontEnd(url)
    front.say(b"ping", 0x89)
    assert front.frame() == (0x8A, b"ping")
    front.say(b'{"id":1,', 0x01)  # a message in three fragments with a ping between them
    front.say(b'"method":"Runtime.', 0x00)
    front.say(b"", 0x89)
    front.say(b'evaluate","params":{"expression":"2*3"}}', 0x80)
    assert front.frame() == (0x8A, b"")
    assert front.hear()["result"]["result"]["value"] == 6
    front.answers.clear()
    large = "x" * 200_000
    assert front.do("Runtime.evaluate", expression=f"'{large}'")["result"]["value"] == large
    assert front.do("No.such")["message"] == "'No.such' wasn't found"
    front.say(b"not json")
    first, data = front.frame()
    assert first == 0x81 and b"JSON" in data
    front.socket.sendall(struct.pack(">BB", 0x81, 1) + b"x")  # unmasked
    assert front.frame() == (0x88, struct.pack(">H", 1002))
    gone = FrontEnd(url)
    gone.socket.close()  # without a close frame
    assert FrontEnd(url).do("Runtime.evaluate", expression="7")["result"]["value"] == 7


def test_a_program_that_opens_a_port_in_use_goes_on(box: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = box.run("-e", f"require('inspector').open({port}, '127.0.0.1', true); console.log('goes on');")
    assert (ran.stdout, ran.returncode) == (b"goes on\n", 0)
    assert ran.stderr == f"Starting inspector on 127.0.0.1:{port} failed: address already in use\n".encode()


def test_clients_that_vanish_while_messages_are_sent_to_them(box: Box) -> None:
    """Each is forgotten, even if a failed send is how its end is discovered: at its end, the program waits for none of them."""
    box.write(
        {
            "a.cjs": "console.log('ready'); const t = setInterval(() => { for (let n = 0; n < 50; n++) console.debug(n); });"
            "process.on('SIGTERM', () => clearInterval(t));"
        }
    )
    program = box.start("--inspect=0", "a.cjs", stdout=subprocess.PIPE)
    url = url_of(program)
    assert program.stdout is not None
    reader = threading.Thread(target=program.stdout.read)
    assert program.stdout.readline() == b"ready\n"
    reader.start()
    for _ in range(40):
        front = FrontEnd(url)
        front.do("Runtime.enable")
        front.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        front.socket.close()
    program.terminate()
    assert program.wait(timeout=60) == 0
    reader.join()
