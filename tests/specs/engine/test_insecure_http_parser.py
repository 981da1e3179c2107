"""`--insecure-http-parser`, wherever it is given: servers and clients accept the insecure form of messages, as in Node.

`like_node/http/insecure.cjs` compares which messages are accepted.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import js_peers as peers
import pytest
from rig import executable

if TYPE_CHECKING:
    from rig import Box

# Prints what a server and a client receive of a folded line, by the flag and with an option that overrides it.
PROGRAM = """\
const http = require('http'), net = require('net'), { once } = require('events');
const REQUEST = 'GET / HTTP/1.1\\r\\nHost: x\\r\\nA: b\\r\\n c\\r\\n\\r\\n';
const RESPONSE = 'HTTP/1.1 200 OK\\r\\nA: b\\r\\n c\\r\\nContent-Length: 0\\r\\n\\r\\n';
module.exports = async (log) => {
  for (const options of [{}, { insecureHTTPParser: false }, { insecureHTTPParser: true }]) {
    const server = http.createServer(options, (request, response) => { log('server', request.headers.a); response.end(); });
    server.on('clientError', (error, socket) => { log('server', error.code); socket.destroy(); });
    await once(server.listen(0), 'listening');
    const socket = net.connect(server.address().port).resume();
    socket.end(REQUEST);
    await once(socket, 'close');
    server.close();
    const raw = net.createServer((socket) => socket.once('data', () => socket.end(RESPONSE)));
    await once(raw.listen(0), 'listening');
    await new Promise((done) => {
      http.get({ port: raw.address().port, agent: false, ...options }, (response) => { log('client', response.headers.a); response.resume(); done(); })
        .on('error', (error) => { log('client', error.code); done(); });
    });
    raw.close();
  }
};
"""
MAIN = "process.on('warning', (warning) => console.log(`${warning}`)); require('./program.cjs')(console.log);"
IN_WORKER = "const { Worker } = require('worker_threads'); new Worker(require('path').resolve('main.cjs'), OPTIONS);"
# name -> (arguments before the file, file, NODE_OPTIONS)
GIVEN = {
    "nowhere": ([], "main.cjs", ""),
    "on the command line": (["--insecure-http-parser"], "main.cjs", ""),
    "off again": (["--insecure-http-parser", "--no-insecure-http-parser"], "main.cjs", ""),
    "in NODE_OPTIONS": ([], "main.cjs", "--insecure-http-parser"),
    "in NODE_OPTIONS, off on the command line": (["--no-insecure-http-parser"], "main.cjs", "--insecure-http-parser"),
    "for a worker": (["--insecure-http-parser"], "worker.cjs", ""),
    "for one worker": ([], "own.cjs", ""),
}


@pytest.mark.parametrize("where", GIVEN)
def test_messages_are_accepted_as_in_node(box: Box, where: str) -> None:
    flags, name, options = GIVEN[where]
    box.write(
        {
            "program.cjs": PROGRAM,
            "main.cjs": MAIN,
            "worker.cjs": IN_WORKER.replace("OPTIONS", "{}"),
            "own.cjs": IN_WORKER.replace("OPTIONS", "{ execArgv: ['--insecure-http-parser'] }"),
        }
    )
    environment = {**box.environment(), "NODE_OPTIONS": options}

    def printed(program: str) -> str:
        command = [program, *flags, name]
        return subprocess.run(command, cwd=box.folder, env=environment, capture_output=True, check=True).stdout.decode()

    assert printed(executable()) == printed(peers.node())
