"""The domain `Network`: requests that the program sends and serves, in the order of their events."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from typing import Any

import pytest
from front_end import FrontEnd, Message, url_of
from rig import Box

SERVER = """
import http from 'node:http';
import { gzipSync, brotliCompressSync } from 'node:zlib';
const server = http.createServer((request, response) => {
  let text = '';
  request.on('data', (part) => (text += part)).on('end', () => {
    if (request.url === '/fail') return request.socket.destroy();
    if (request.url === '/binary') response.setHeader('Content-Type', 'image/png').end(Buffer.from([1, 2, 255]));
    else if (request.url === '/gzip') response.setHeader('Content-Encoding', 'gzip').end(gzipSync('packed'));
    else if (request.url === '/br') response.setHeader('Content-Encoding', 'br').end(brotliCompressSync('packed'));
    else if (request.url === '/missing') response.writeHead(404, 'Gone Away').end();
    else response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(`got ${text}`);
  });
});
await new Promise<void>((ready) => server.listen(0, ready));
const port: number = (server.address() as any).port;
const base = `http://127.0.0.1:${port}`;
const send = (path: string, options: http.RequestOptions = {}, body?: string) =>
  new Promise<void>((ready) => {
    const request = http.request(base + path, options, (response) => response.resume().on('end', ready));
    request.on('error', () => ready());
    request.end(body);
  });
"""
END = "\nserver.close();\n"


class Watched:
    """A program whose requests a client observes from its first statement to its end."""

    def __init__(self, box: Box, code: str, *flags: str, is_file: bool = True) -> None:
        if is_file:
            box.write({"a.mts": code})
        self.process: subprocess.Popen[bytes] = box.start("--inspect-wait=0", *flags, "a.mts")
        self.front = FrontEnd(url_of(self.process))
        self.front.do("NodeRuntime.notifyWhenWaitingForDisconnect", enabled=True)
        assert self.front.do("Network.enable") == {}
        self.front.do("Runtime.runIfWaitingForDebugger")
        self.events: list[Message] = []
        while not any(event["method"] == "NodeRuntime.waitingForDisconnect" for event in self.front.events):
            self.front.hear()
        self.events = [event for event in self.front.events if event["method"].startswith("Network.")]

    def of(self, kind: str, path: str) -> list[Message]:
        """Return the events of the only request of a type ("Fetch", "Other", "Document") for a path, with short names."""
        sent = [event for event in self.events if event["method"] == "Network.requestWillBeSent"]
        (found,) = [
            event["params"]["requestId"]
            for event in sent
            if event["params"]["type"] == kind and event["params"]["request"]["url"].endswith(path)
        ]
        self.id = found
        return [
            {"name": event["method"].removeprefix("Network."), **event["params"]}
            for event in self.events
            if event["params"]["requestId"] == found
        ]

    def body(self, part: str = "Response") -> Any:
        command = "Network.getResponseBody" if part == "Response" else "Network.getRequestPostData"
        return self.front.do(command, requestId=self.id)


CALLS = {
    "Fetch": {
        "text": "await (await fetch(base + '/text')).text();",
        "post": "await (await fetch(base + '/post', { method: 'POST', body: 'data', headers: { 'X-Own': 'own' } })).text();",
        "binary": "await (await fetch(base + '/binary')).arrayBuffer();",
        "gzip": "await (await fetch(base + '/gzip')).text();",
        "br": "await (await fetch(base + '/br')).text();",
        "missing": "await (await fetch(base + '/missing')).text();",
        "fail": "await fetch(base + '/fail', { method: 'POST', body: 'data' }).catch(() => {});",
    },
    "Other": {
        "text": "await send('/text');",
        "post": "await send('/post', { method: 'POST', headers: { 'X-Own': 'own' } }, 'data');",
        "binary": "await send('/binary');",
        "gzip": "await send('/gzip');",
        "br": "await send('/br');",
        "missing": "await send('/missing');",
        "fail": "await send('/fail', { method: 'POST' }, 'data');",
    },
}
WHOLE = ["requestWillBeSent", "responseReceived", "dataReceived", "loadingFinished"]


@pytest.mark.parametrize("kind", ["Fetch", "Other"])
def test_requests_of_the_program_and_those_it_serves(box: Box, kind: str) -> None:
    watched = Watched(box, SERVER + "\n".join(CALLS[kind].values()) + END)
    for each in (kind, "Document"):
        sent, answered, *_ = events = watched.of(each, "/text")
        assert [event["name"] for event in events] == WHOLE
        assert sent["request"]["method"] == "GET" and sent["request"]["hasPostData"] is False
        assert answered["response"]["status"] == 200
        assert answered["response"]["headers"]["content-type"] == "text/plain; charset=utf-8"
        assert (answered["response"]["mimeType"], answered["response"]["charset"]) == ("text/plain", "utf-8")
        assert [event["timestamp"] for event in events] == sorted(event["timestamp"] for event in events)
        assert watched.body() == {"body": "got ", "base64Encoded": False}

        sent = watched.of(each, "/post")[0]
        assert sent["request"]["hasPostData"] is True and sent["request"]["headers"]["x-own"] == "own"
        assert watched.body("Request") == {"postData": "data"}
        assert watched.body()["body"] == "got data"

        watched.of(each, "/binary")
        assert watched.body() == {"body": base64.b64encode(b"\1\2\377").decode(), "base64Encoded": True}
        for coding in ("gzip", "br"):
            watched.of(each, f"/{coding}")
            assert watched.body() == {"body": "packed", "base64Encoded": False}
        answered = watched.of(each, "/missing")[1]
        assert (answered["response"]["status"], answered["response"]["statusText"]) == (404, "Gone Away")
        assert [event["name"] for event in watched.of(each, "/fail")] == ["requestWillBeSent", "loadingFailed"]
    sent = watched.of(kind, "/text")[0]
    frame = sent["initiator"]["stack"]["callFrames"][0]
    assert frame["url"].endswith("/a.mts")
    assert watched.front.do("Network.getResponseBody", requestId="none")["message"] == "Request not found"


def test_a_refused_connection_and_an_abort(box: Box) -> None:
    code = """
        await fetch('http://127.0.0.1:1/refused').catch(() => {});
        const control = new AbortController();
        const asked = fetch('http://127.0.0.1:1/aborted', { signal: control.signal });
        control.abort();
        await asked.catch(() => {});
    """
    watched = Watched(box, code)
    assert "ECONNREFUSED" in watched.of("Fetch", "/refused")[-1]["errorText"]
    assert watched.of("Fetch", "/aborted")[-1]["name"] == "loadingFailed"


def test_requests_of_a_server_of_rt(box: Box) -> None:
    code = """
        const server = RT.serve({ port: 0, routes: { '/fixed': new Response('fixed') }, async fetch(request: Request) {
          if (request.url.endsWith('/stream')) {
            return new Response(new ReadableStream({ start(to) { to.enqueue('a'); to.enqueue('b'); to.close(); } }));
          }
          return new Response(`got ${await request.text()}`, { status: 201, headers: { 'X-Own': 'own' } });
        } });
        await (await fetch(`${server.url}post`, { method: 'POST', body: 'data' })).text();
        await (await fetch(`${server.url}stream`)).text();
        await (await fetch(`${server.url}fixed`)).text();
        server.stop();
    """
    watched = Watched(box, code)
    _, answered, *_ = events = watched.of("Document", "/post")
    assert [event["name"] for event in events] == WHOLE
    assert answered["response"]["status"] == 201 and answered["response"]["headers"]["x-own"] == "own"
    assert watched.body("Request") == {"postData": "data"}
    assert watched.body() == {"body": "got data", "base64Encoded": False}
    watched.of("Document", "/stream")
    assert watched.body() == {"body": "ab", "base64Encoded": False}
    watched.of("Document", "/fixed")
    assert watched.body() == {"body": "fixed", "base64Encoded": False}


def test_web_sockets(box: Box) -> None:
    code = """
        const server = RT.serve({ port: 0, fetch: (request, server) => void server.upgrade(request), websocket: { message() {} } });
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}/socket`);
        await new Promise((ready) => (socket.onopen = ready));
        socket.close();
        await new Promise((ready) => (socket.onclose = ready));
        server.stop();
    """
    watched = Watched(box, code)
    found = [event for event in watched.events if event["method"].startswith("Network.webSocket")]
    names = [event["method"].removeprefix("Network.webSocket") for event in found]
    assert names == ["Created", "HandshakeResponseReceived", "Closed"]
    assert found[0]["params"]["url"].endswith("/socket")
    assert found[1]["params"]["response"]["status"] == 101


SECURE = """
import https from 'node:https';
import fs from 'node:fs';
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => fs.readFileSync(name));
const server = https.createServer({ key, cert }, (request, response) => response.end(`got ${request.url}`));
await new Promise<void>((ready) => server.listen(0, ready));
const base = `https://localhost:${(server.address() as any).port}`;
await (await fetch(`${base}/fetched`, { tls: { ca: cert } } as any)).text();
await new Promise<void>((ready) => https.get(`${base}/got`, { ca: cert }, (response) => response.resume().on('end', ready)));
await fetch(`${base}/refused`).catch(() => {});
const own = RT.serve({ port: 0, tls: { key, cert }, fetch: () => new Response('own') });
await (await fetch(`https://localhost:${own.port}/served`, { tls: { ca: cert } } as any)).text();
own.stop(true);
server.close();
server.closeAllConnections();
"""


def test_secure_connections(box: Box) -> None:
    """The addresses are those of https, the bodies are readable, and a certificate that is not trusted is the reason of a failure."""
    if shutil.which("openssl") is None:
        pytest.skip("the certificate is made with the openssl command, which is not there")
    subject = ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    files = ["-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command, *subject, *files], cwd=box.folder, check=True, capture_output=True)
    watched = Watched(box, SECURE)
    for kind, path, body in (
        ("Fetch", "/fetched", "got /fetched"),
        ("Document", "/fetched", "got /fetched"),
        ("Other", "/got", "got /got"),
        ("Document", "/got", "got /got"),
        ("Fetch", "/served", "own"),
        ("Document", "/served", "own"),
    ):
        events = watched.of(kind, path)
        assert [event["name"] for event in events] == WHOLE, (kind, path)
        assert events[0]["request"]["url"].startswith("https://localhost:")
        assert watched.body()["body"] == body
    failed = watched.of("Fetch", "/refused")[-1]
    assert failed["name"] == "loadingFailed" and "self-signed certificate" in failed["errorText"], failed


def test_a_worker_reports_its_own_requests(box: Box) -> None:
    """In its session, once that has enabled the domain; the main program reports none of them."""
    box.write(
        {
            "a.mts": "import { Worker } from 'node:worker_threads';\n"
            "const server = RT.serve({ port: 0, fetch: async (request) => new Response(`got ${await request.text()}`) });\n"
            "new Worker('./w.mts', { workerData: `${server.url}` });\n",
            "w.mts": "import { workerData } from 'node:worker_threads';\n"
            "await (await fetch(`${workerData}x`, { method: 'POST', body: 'data' })).text();\nsetInterval(() => {}, 1000);\n",
        }
    )
    program = box.start("--inspect-wait=0", "a.mts")
    main = FrontEnd(url_of(program))
    main.do("NodeWorker.enable", waitForDebuggerOnStart=True)
    main.do("Runtime.runIfWaitingForDebugger")
    front = main.worker(main.await_event("NodeWorker.attachedToWorker")["sessionId"])
    assert front.do("Network.enable") == {}
    front.do("Runtime.runIfWaitingForDebugger")
    sent = front.await_event("Network.requestWillBeSent")
    assert (sent["type"], sent["request"]["url"].rpartition("/")[2]) == ("Fetch", "x")
    front.await_event("Network.loadingFinished")
    assert front.do("Network.getResponseBody", requestId=sent["requestId"])["body"] == "got data"
    assert front.do("Network.getRequestPostData", requestId=sent["requestId"]) == {"postData": "data"}
    assert not [event for event in main.events if event["method"].startswith("Network.")]


def test_the_programs_own_session_and_own_events(box: Box) -> None:
    """`inspector.Session` observes requests, and `inspector.Network` reports those of another client, as in Node."""
    code = """
        import inspector from 'node:inspector';
        const session = new inspector.Session();
        session.connect();
        const seen: string[] = [];
        session.on('inspectorNotification', ({ method }: any) => seen.push(method));
        session.post('Network.enable');
        await (await fetch('data:,x')).text();
        const requestId = 'own-1';
        const request = { url: 'own://host/', method: 'GET', headers: {} };
        inspector.Network.requestWillBeSent({ requestId, timestamp: 1, wallTime: 1, request });
        const response = { url: 'own://host/', status: 200, statusText: 'OK', headers: {}, mimeType: 'text/plain', charset: 'utf-8' };
        inspector.Network.responseReceived({ requestId, timestamp: 2, type: 'Other', response });
        inspector.Network.dataReceived({ requestId, timestamp: 2, dataLength: 3, encodedDataLength: 3, data: Buffer.from('own') });
        inspector.Network.loadingFinished({ requestId, timestamp: 3 });
        session.post('Network.getResponseBody', { requestId }, (error, result) => seen.push(JSON.stringify(result)));
        session.post('Network.disable');
        inspector.Network.requestWillBeSent({ requestId: 'own-2', timestamp: 1, wallTime: 1, request });
        console.log(JSON.stringify(seen));
    """
    box.write({"a.mts": code})
    ran = box.run("a.mts")
    body = json.dumps({"body": "own", "base64Encoded": False}, separators=(",", ":"))
    assert json.loads(ran.stdout) == [f"Network.{name}" for name in WHOLE] + [body]


def test_the_programs_own_session_sees_what_node_reports(box: Box) -> None:
    """Requests that the program serves are not reported to it; a body without a type is binary."""
    code = """
        import http from 'node:http';
        import { once } from 'node:events';
        import inspector from 'node:inspector/promises';
        const session = new inspector.Session();
        session.connect();
        await session.post('Network.enable');
        const server = http.createServer((request, response) => response.end('served')).listen(0);
        await once(server, 'listening');
        const seen = [];
        session.on('Network.requestWillBeSent', ({ params }) => seen.push(params.type));
        const finished = once(session, 'Network.loadingFinished');
        await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text();
        const [{ params }] = await finished;
        console.log(JSON.stringify([seen, await session.post("Network.getResponseBody", { requestId: params.requestId })]));
        server.close();
        session.disconnect();
    """
    box.write({"a.mjs": code})
    ran = box.run("a.mjs")
    assert json.loads(ran.stdout) == [["Fetch"], {"body": "c2VydmVk", "base64Encoded": True}], ran.stderr


BUSY = """
console.log('busy');
while (!globalThis.goes);
await fetch('http://127.0.0.1:1/early').catch(() => {});
setInterval(() => {}, 1000);
"""


@pytest.mark.parametrize("place", ["program", "worker"])
def test_a_busy_program_is_observed_from_the_answer_on(box: Box, place: str) -> None:
    """JavaScript is interrupted to observe it: the request is sent before the event loop turns."""
    box.write({"a.mts": BUSY, "w.mts": "import { Worker } from 'node:worker_threads'; new Worker('./a.mts');"})
    program = box.start("--inspect=0", "a.mts" if place == "program" else "w.mts")
    front = FrontEnd(url_of(program))
    if place == "worker":
        front.do("NodeWorker.enable", waitForDebuggerOnStart=False)
        front = front.worker(front.await_event("NodeWorker.attachedToWorker")["sessionId"])
    else:
        assert program.stdout is not None
        assert program.stdout.readline() == b"busy\n"
    assert front.do("Network.enable") == {}
    front.do("Runtime.evaluate", expression="globalThis.goes = true")
    sent = front.await_event("Network.requestWillBeSent")
    assert sent["request"]["url"] == "http://127.0.0.1:1/early"
    assert front.await_event("Network.loadingFailed")["requestId"] == sent["requestId"]


def test_nothing_is_observed_without_a_client(box: Box) -> None:
    """The domain's files are not loaded before a client enables it."""
    box.write({"a.mts": "setInterval(() => {}, 1000);"})
    program = box.start("--inspect=0", "a.mts")
    front = FrontEnd(url_of(program))
    front.do("Runtime.enable")
    subscribed = "process.getBuiltinModule('diagnostics_channel').hasSubscribers('undici:request:create')"
    check = {"expression": subscribed, "returnByValue": True}
    assert front.do("Runtime.evaluate", **check)["result"]["value"] is False
    front.do("Network.enable")
    assert front.do("Runtime.evaluate", **check)["result"]["value"] is True
    front.do("Network.disable")
    assert front.do("Runtime.evaluate", **check)["result"]["value"] is False


def test_resources(box: Box) -> None:
    """The answers are those of Node for texts that the program offers; files can be loaded, too."""
    box.write(
        {
            "a ä.map": "mapped",
            "a.mts": "import { NetworkResources } from 'node:inspector';\n"
            "for (const [url, data] of [['own://x', 'data é'], [1, ''], ['own://y', 1]] as any)\n"
            "  try { NetworkResources.put(url, data); } catch (error) { console.log(error.message); }\n"
            "setInterval(() => {}, 1000);\n",
        }
    )
    program = box.start("--inspect=0", "a.mts")
    front = FrontEnd(url_of(program))
    assert program.stdout is not None
    texts = [program.stdout.readline().decode().strip() for _ in range(2)]
    assert texts == [
        'The "url" argument must be of type string. Received type number (1)',
        'The "data" argument must be of type string. Received type number (1)',
    ]

    def load(url: str) -> Any:
        return front.do("Network.loadNetworkResource", url=url)["resource"]

    def read(handle: str, **params: int) -> Any:
        return front.do("IO.read", handle=handle, **params)

    assert load("own://x") == {"success": True, "stream": "own://x"}
    assert read("own://x", size=3) == {"data": "dat", "eof": False}
    assert read("own://x", size=5) == {"data": "a é", "eof": False}
    assert read("own://x") == {"data": "", "eof": True}
    assert read("own://x", offset=2, size=2) == {"data": "ta", "eof": False}
    assert front.do("IO.close", handle="own://x") == {}
    assert load("own://x") == {"success": False}  # it was closed
    assert read("own://x") == {"data": "", "eof": True}
    file = (box.folder / "a ä.map").resolve().as_uri()
    assert read(load(file)["stream"]) == {"data": "mapped", "eof": False}
    for missing in ("own://y", file + "x", box.folder.as_uri(), "file://elsewhere/etc/hostname", "http://127.0.0.1/"):
        assert load(missing) == {"success": False}
    for command, params in (
        ("Network.loadNetworkResource", {}),
        ("IO.read", {}),
        ("IO.read", {"handle": "x", "size": "1"}),
    ):
        assert front.do(command, **params)["code"] == -32602


def test_a_limited_program_loads_no_files(box: Box) -> None:
    box.write({"a.cjs": "setInterval(() => {}, 1000);"})
    program = box.start("--permission", "--allow-inspector", "--allow-fs-read=a.cjs", "--inspect=0", "a.cjs")
    front = FrontEnd(url_of(program))
    assert front.do("Network.loadNetworkResource", url="file:///etc/hostname") == {"resource": {"success": False}}


def test_own_sessions_get_request_bodies_that_are_declared_as_text(box: Box) -> None:
    imports = "import { Network, Session } from 'node:inspector/promises';"
    code = """
    const session = new Session();
    session.connect();
    await session.post('Network.enable');
    let requestId = 0;
    session.on('Network.requestWillBeSent', ({ params }) => ((requestId = params.requestId), console.log('charset' in params)));
    const show = () => session.post('Network.getRequestPostData', { requestId }).catch((error) => error.message).then(console.log);
    for (const type of ['text/plain', 'text/plain; charset=UTF-8']) {
      await (await fetch(base + '/post', { method: 'POST', body: 'data', headers: { 'Content-Type': type } })).text();
      await show();
    }
    for (const charset of [undefined, 'utf-8']) {
      const request = { url: 'x:', method: 'PUT', headers: {}, hasPostData: true };
      Network.requestWillBeSent({ requestId: `own ${charset}`, timestamp: 1, wallTime: 1, request, charset });
      Network.dataSent({ requestId, timestamp: 1, dataLength: 2, data: Buffer.from('ok') });
      await show();
    }
    """
    box.write({"a.mts": imports + SERVER + code + END})
    refusal, done = "Inspector error -32000: Unable to serialize binary request body", box.run("a.mts")
    shown = [
        "false",
        refusal,
        "false",
        "{",
        '  postData: "data",',
        "}",
        "false",
        refusal,
        "false",
        "{",
        '  postData: "ok",',
        "}",
    ]
    assert (done.stdout.decode().splitlines(), done.stderr) == (shown, b"")
