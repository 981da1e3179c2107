"""The built-in `ws` if the package is not installed (vite imports it) prints the same as the package in its own test
case.
"""

from __future__ import annotations

from pathlib import Path

from rig import Box

PACKAGE = Path(__file__).parent / "programs" / "web" / "ws"
OFFERED = "; server_no_context_takeover; client_no_context_takeover"  # no compression context is kept between messages


def test_prints_what_the_package_prints(box: Box) -> None:
    box.write({"a.mjs": (PACKAGE / "a.mjs").read_text()})
    done = box.run("a.mjs")
    expected = (
        (PACKAGE / "expected.txt")
        .read_text()
        .replace("101 yes permessage-deflate", f"101 yes permessage-deflate{OFFERED}")
    )
    assert (done.stdout + done.stderr).decode() + "[status 0]\n" == expected
    assert done.returncode == 0


def test_is_a_single_shared_stand_in(box: Box) -> None:
    box.write({
        "a.mjs": "import ws from 'ws'; console.log(ws === import.meta.require('ws'), ws.Server.name); await import('wss').catch((e) => console.log(e.code));",
        "b.mjs": "import ws from 'ws'; console.log(ws);",
        "inside/b.mjs": "import ws from 'ws'; console.log(ws);",
        "inside/node_modules/ws/index.js": "module.exports = 'installed';",
    })  # fmt: skip
    assert box.run("a.mjs").stdout.decode() == "true WebSocketServer\nERR_MODULE_NOT_FOUND\n"
    assert box.run("inside/b.mjs").stdout.decode() == "installed\n"


def test_names_the_invalid_argument(box: Box) -> None:
    source = """
        import { WebSocket, WebSocketServer } from 'ws';
        import http from 'node:http';
        const say = (act) => { try { act(); } catch (error) { console.log(error.name, error.message); } };
        say(() => new WebSocketServer({}));
        say(() => new WebSocketServer({ port: 0, noServer: true }));
        say(() => new WebSocketServer({ noServer: true }).address());
        say(() => new WebSocket('nowhere'));
        say(() => new WebSocket('ws://x', ['a', 'a']));
        const server = new WebSocketServer({ port: 0, path: '/here', verifyClient: ({ req }) => req.headers['x-pass'] === '1' });
        server.on('connection', (client) => { client.on('error', () => {}); say(() => client.close(5)); client.close(1000, 'seen'); });
        server.on('listening', async () => {
            const base = `localhost:${server.address().port}`;
            const end = (path, options) => new Promise((done) => {
                const client = new WebSocket(`ws://${base}${path}`, options);
                client.on('error', (error) => done(error.message)).on('close', (code, reason) => done(`${code} ${reason}`));
            });
            console.log(await end('/there'), '|', await end('/here'), '|', await end('/here', { headers: { 'x-pass': '1' } }));
            console.log((await fetch(`http://${base}/`)).status);
            const bad = http.get(`http://${base}/here`, { agent: false, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } });
            bad.on('response', (response) => { console.log(response.statusCode); response.resume().on('close', () => server.close(() => console.log('closed'))); });
        });
    """
    box.write({"a.mjs": source})
    done = box.run("a.mjs")
    assert (done.stdout + done.stderr).decode() == (
        'TypeError One and only one of the "port", "server", or "noServer" options must be specified\n' * 2
        + 'Error The server is operating in "noServer" mode\n'
        + "SyntaxError Invalid URL: nowhere\n"
        + "SyntaxError An invalid or duplicated subprotocol was specified\n"
        + "TypeError First argument must be a valid error code number\n"
        + "Unexpected server response: 400 | Unexpected server response: 401 | 1000 seen\n426\n400\nclosed\n"
    )
