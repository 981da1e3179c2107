"""Engine workers through the interface of `workers`, which commands other than multi-script runs build upon.

A driver in a separate process forks a real guardian, whose zygote runs real programs.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from rig import Box, executable

DRIVER = """
import os, sys
from rt_supervisor.vocabulary import protocol
from rt_supervisor.__main__ import main
from rt_supervisor.cli.run.program_host import RtProgramHost
from rt_supervisor.engine_worker.start.engine_host import EngineHost
from rt_supervisor.workers.client import GuardianClient

sys.argv[0] = executable = {executable!r}

arrived = []

def heard(client):
    "The next message."
    while not arrived:
        arrived.extend(client.receive())
        assert not client.lost
    return arrived.pop(0)

def ended(client):
    "The kinds of messages up to the next end of a script, and its wait status."
    kinds = []
    while True:
        message = heard(client)
        kinds.append(message[0])
        if message[0] == protocol.ENDED:
            return kinds, message[2]

def spawn(client, key, *words, **options):
    argv = [executable, *words]
    settings = dict(program=argv, environment=dict(os.environ), folder=os.getcwd()) | options
    client.spawn(key, argv=argv, **settings)

hosts = {{"engine": EngineHost(RtProgramHost(main))}}
"""


def drive(box: Box, text: str, **options: Any) -> bytes:
    """Run the driver's preamble followed by `text`. Return its output."""
    source = DRIVER.format(executable=executable()) + text
    settings: dict[str, Any] = {"cwd": box.folder, "env": box.environment(), "timeout": 60} | options
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        [sys.executable, "-c", source], check=True, stdout=subprocess.PIPE, **settings
    )
    return done.stdout


def test_consecutive_workers_in_the_group_of_rt_with_its_streams(box: Box) -> None:
    """Like a restarted program on the terminal: nothing is passed, and the worker joins the group."""
    box.write({"main.ts": "process.stdin.on('data', (d) => console.log(`${d}`, process.argv[2]));"
               "const stat = require('fs').readFileSync('/proc/self/stat', 'utf8').split(' ');"
               "console.log(Number(stat[4]) === Number(process.env.GROUP))"})  # fmt: skip
    text = """
os.environ["GROUP"] = str(os.getpgrp())
client = GuardianClient(share_terminal=True, hosts=hosts)
client.prepare("engine")
for key in range(3):
    spawn(client, key, "main.ts", f"run{key}")
    kinds, status = ended(client)
    assert (kinds, status) == ([protocol.STARTED, protocol.ENDED], 0), (kinds, status)
client.close()
"""
    assert drive(box, text, input=b"typed") == b"true\ntyped run0\ntrue\ntrue\n"
    box.await_nothing_left()


def test_before_workers_are_requested_scripts_are_separate_processes(box: Box) -> None:
    box.write(
        {"main.ts": "console.log(require('fs').readFileSync('/proc/self/environ', 'utf8').includes('_RT_SCRIPT='))"}
    )
    text = """
client = GuardianClient(share_terminal=False, hosts=hosts)
spawn(client, 1, "main.ts")
assert ended(client)[1] == 0
client.prepare("engine")
spawn(client, 2, "main.ts")
assert ended(client)[1] == 0
client.close()
"""
    assert drive(box, text) == b"true\nfalse\n"


def test_commands_that_cannot_start_are_rejected_as_usual(box: Box) -> None:
    box.write({"main.ts": "console.log('ran')"})
    text = """
client = GuardianClient(share_terminal=False, hosts=hosts)
client.prepare("engine")
spawn(client, 1, "main.ts", folder="/nowhere/at/all")
message = heard(client)
assert message[:2] == (protocol.REFUSED, 1) and message[4] == "/nowhere/at/all", message
spawn(client, 2, "main.ts", "x" * 300_000)  # too long for a process
message = heard(client)
assert message[:2] == (protocol.REFUSED, 2), message
spawn(client, 3, "main.ts")
assert ended(client)[1] == 0
client.close()
"""
    assert drive(box, text) == b"ran\n"


def test_signals_and_kills_reach_workers_that_are_still_being_made(box: Box) -> None:
    """They were ordered first, so they get the signal, whether or not their program has begun."""
    box.write({"main.ts": "setInterval(() => {}, 1e6)"})
    text = """
client = GuardianClient(share_terminal=False, hosts=hosts)
client.prepare("engine")
for key in range(8):
    spawn(client, key, "main.ts")
client.signal(15, 3)
assert ended(client)[1] == 15
client.kill(5)
assert ended(client)[1] == 9
client.signal(1)
for _ in range(6):
    assert ended(client)[1] == 1
spawn(client, 9, "main.ts")
client.kill()
assert ended(client)[1] == 9
client.close()
"""
    drive(box, text)
    box.await_nothing_left()
