"""Node's flags about address selection and web globals: each as a flag and in NODE_OPTIONS, compared with Node."""

from __future__ import annotations

import js_peers as peers
import pytest
from node_flags import printed
from rig import Box, executable

PROGRAM = """
const net = require('node:net');
const socket = net.connect({ port: 1, host: 'several', lookup(name, options, callback) {
  console.log('all', options.all);
  callback(new Error('nothing'));
} });
socket.on('error', () => {});
console.log(net.getDefaultAutoSelectFamily(), net.getDefaultAutoSelectFamilyAttemptTimeout());
for (const name of ['WebSocket', 'CloseEvent', 'navigator', 'Navigator', 'fetch']) console.log(name, typeof globalThis[name]);
"""
FLAGS = [
    "--no-network-family-autoselection",
    "--no-enable-network-family-autoselection",
    "--network-family-autoselection",
    "--network-family-autoselection-attempt-timeout=123",
    "--no-experimental-websocket",
    "--experimental-websocket",
    "--no-experimental-global-navigator",
]


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("is_variable", [False, True], ids=["flag", "NODE_OPTIONS"])
def test_behaves_as_in_node(box: Box, flag: str, is_variable: bool) -> None:
    box.write({"a.cjs": PROGRAM})
    assert printed(executable(), box, flag, is_variable) == printed(peers.node(), box, flag, is_variable)


def test_takes_event_source_away(box: Box) -> None:
    assert box.run("-p", "typeof EventSource").stdout == b"function\n"
    assert box.run("--no-experimental-eventsource", "-p", "typeof EventSource").stdout == b"undefined\n"
