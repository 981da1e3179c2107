"""TCP_NODELAY and SO_KEEPALIVE of the sockets below TLS and HTTP/2, read from the running program's descriptors."""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
from pathlib import Path

import js_peers as peers
import pytest
from rig import Box, executable

PROGRAM = """
const { once } = require('node:events');
const http2 = require('node:http2');
const https = require('node:https');
const net = require('node:net');
const tls = require('node:tls');
const { key, cert } = require('./tls_identity.cjs');
const found = {};
const keep = (title, socket) => { found[title] = socket._handle.fd; };
const open = (port, options = {}) => tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
async function main() {
  const server = tls.createServer({ key, cert });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address();
  const connect = async (title, change, options) => {
    const accepted = once(server, 'secureConnection');
    const client = open(port, options);
    change?.(client);
    await Promise.all([accepted, once(client, 'secureConnect')]);
    keep(title, client);
    return [client, (await accepted)[0]];
  };
  const [late, accepted] = await connect('changed later');
  late.setNoDelay().setKeepAlive(true, 7000);
  accepted.setNoDelay(true);
  keep('accepted', accepted);
  await connect('before it is connected', (client) => client.setNoDelay(true).setKeepAlive(true, 9000));
  await connect('options', undefined, { noDelay: true, keepAlive: true });
  const [off] = await connect('turned off again');
  off.setNoDelay(true).setNoDelay(false);
  const plain = net.connect(port, '127.0.0.1');
  await once(plain, 'connect');
  const [above] = await connect('above a socket', undefined, { socket: plain });
  above.setNoDelay(true);
  found['above a socket'] = plain._handle?.fd ?? above._handle.fd;

  const secure = http2.createSecureServer({ key, cert });
  await once(secure.listen(0, '127.0.0.1'), 'listening');
  secure.on('secureConnection', (socket) => keep('server of HTTP/2', socket));
  const session = once(secure, 'session');
  const client = http2.connect(`https://127.0.0.1:${secure.address().port}`, {
    createConnection: () => {
      const socket = open(secure.address().port, { ALPNProtocols: ['h2'] });
      socket.on('secureConnect', () => keep('client of HTTP/2', socket));
      return socket;
    },
  });
  await Promise.all([session, once(client, 'remoteSettings')]);

  const web = https.createServer({ key, cert }, (request, response) => {
    keep('server of HTTPS', request.socket);
    response.end('x');
  });
  await once(web.listen(0, '127.0.0.1'), 'listening');
  const agent = new https.Agent({ keepAlive: true });
  const request = https.get({ port: web.address().port, host: '127.0.0.1', rejectUnauthorized: false, agent });
  request.setNoDelay(true);
  request.setSocketKeepAlive(true, 4000);
  const [response] = await once(request, 'response');
  keep('client of HTTPS', response.socket);
  await once(response.resume(), 'end');

  console.log(JSON.stringify([process.pid, found]));
  process.stdin.once('data', () => process.exit());
}
main();
"""
SOCKETS = """
const { key, cert } = require('./tls_identity.cjs');
const socket = { data(each, bytes) { each.write(bytes); }, open() {}, error() {} };
async function main() {
  for (const tls of [undefined, { key, cert }]) {
    const { port } = RT.listen({ hostname: '127.0.0.1', port: 0, tls, socket });
    await new Promise((resolve) => {
      const open = (client) => void (tls === undefined && client.write('x'));
      const handshake = (client) => void client.write('x');
      const options = { tls: tls && { rejectUnauthorized: false }, socket: { open, handshake, data: resolve } };
      RT.connect({ hostname: '127.0.0.1', port, ...options });
    });
  }
  console.log(process.pid);
  process.stdin.once('data', () => process.exit());
}
main();
"""
PIDFD_OPEN, PIDFD_GETFD = 434, 438


def read_options(pid: int, descriptors: dict[str, int]) -> dict[str, tuple[int, int, int]]:
    """Return TCP_NODELAY, SO_KEEPALIVE and, if that is on, the idle time in seconds of each socket of a process."""
    libc = ctypes.CDLL(None, use_errno=True)
    process = libc.syscall(PIDFD_OPEN, pid, 0)
    assert process >= 0, os.strerror(ctypes.get_errno())
    found = {}
    for title, descriptor in descriptors.items():
        copy = libc.syscall(PIDFD_GETFD, process, descriptor, 0)
        if copy < 0:
            pytest.skip(f"descriptors of other processes cannot be read: {os.strerror(ctypes.get_errno())}")
        with socket.socket(fileno=copy) as one:
            is_alive = one.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            idle_s = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) if is_alive else 0
            found[title] = (one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), is_alive, idle_s)
    os.close(process)
    return found


def find_connections(pid: int) -> dict[str, int]:
    """Return the descriptors of a process that are established TCP connections."""
    tables = [Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:] for name in ("tcp", "tcp6")]
    established = {fields[9] for table in tables for line in table if (fields := line.split())[3] == "01"}
    links = {entry.name: os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir()}
    return {name: int(name) for name, link in links.items() if link.removeprefix("socket:[").rstrip("]") in established}


def options_under(command: str, box: Box, program: str) -> dict[str, tuple[int, int, int]]:
    """Return the options of the sockets that `program` prints after its process ID, or of all its connections."""
    identity = (Path(__file__).parent / "tls_identity.cjs").read_text()
    box.write({"a.cjs": program, "tls_identity.cjs": identity})
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([command, "a.cjs"], cwd=box.folder, env=box.environment(), **pipes) as process:  # type: ignore[call-overload]
        printed = json.loads(process.stdout.readline())
        pid, descriptors = (printed, find_connections(printed)) if isinstance(printed, int) else printed
        options = read_options(pid, descriptors)
        process.communicate(b"\n")
    return options


def test_sockets_of_rt_send_at_once(box: Box) -> None:
    options = options_under(executable(), box, SOCKETS)
    assert [no_delay for no_delay, _, _ in options.values()] == [1] * 4


def test_options_reach_the_socket_as_in_node(box: Box) -> None:
    options = options_under(executable(), box, PROGRAM)
    assert options["server of HTTP/2"][0] == 1, "answers would wait for the acknowledgement of earlier ones"
    assert options == options_under(peers.node(), box, PROGRAM)
