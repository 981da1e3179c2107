"""Engine workers as `workers` offers them to whoever supervises: what other commands than multi-script runs build upon.

A driver in a process of its own forks a real guardian, whose zygote runs real programs.
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
    """Run `text` after the driver's beginning; its output."""
    source = DRIVER.format(executable=executable()) + text
    settings: dict[str, Any] = {"cwd": box.folder, "env": box.environment(), "timeout": 60} | options
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        [sys.executable, "-c", source], check=True, stdout=subprocess.PIPE, **settings
    )
    return done.stdout


def test_one_worker_after_the_other_in_rt_s_own_group_with_its_own_streams(box: Box) -> None:
    """As a restarted program has the terminal: nothing is passed, and the worker joins the group."""
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


def test_until_workers_are_asked_for_there_are_whole_processes(box: Box) -> None:
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


def test_what_cannot_be_started_is_refused_as_ever(box: Box) -> None:
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
    """They were ordered first, so they get it, whether or not their program has begun."""
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
