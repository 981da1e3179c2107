"""Clients of a run that misbehave: they read slowly, send what is not a frame, are killed, or are those of another user."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys

import pytest
from controlled import ControlledRun
from rig import Box

from rt_supervisor.control.client import ControlClient
from rt_supervisor.control.connection import MOST_QUEUED_BYTES
from rt_supervisor.control.protocol import Output, encode_message

LINES = 400_000
PRINTS = f"seq -f '%039.0f' {LINES}; touch printed; exec sleep 600"
TOTAL = LINES * 40


def connect(run: ControlledRun) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    directory = os.open(run.folder, os.O_PATH)
    peer.connect(f"/proc/self/fd/{directory}/socket")
    os.close(directory)
    return peer


def memory_of(pid: int) -> int:
    """Return the largest resident size of a process so far, in bytes."""
    with open(f"/proc/{pid}/status") as status:
        (line,) = (line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def test_a_client_that_does_not_read_loses_output_and_delays_nothing(box: Box) -> None:
    """The script prints 16 MB while one client reads nothing and another one everything."""
    printed = b"".join(b"%039d\n" % number for number in range(1, LINES + 1))
    box.scripts(dev="while [ ! -e go ]; do sleep 0.01; done; " + PRINTS)
    run = ControlledRun(box, "run", "--parallel", "--watch", "--watch-ignore", "*", "dev")
    slow = ControlClient(str(run.folder), version="test")
    slow.request("subscribe", output="all")
    before = memory_of(run.process.pid)
    with open(os.devnull, "wb") as nothing:
        assert run.process.stdout is not None
        drain = subprocess.Popen(["cat"], stdin=run.process.stdout, stdout=nothing)
    (box.folder / "go").touch()
    read = 0
    skipped = 0
    for item in run.client.items():
        if isinstance(item, Output):
            assert item.offset == read + skipped
            assert item.data == printed[item.offset : item.offset + len(item.data)]
            read += len(item.data)
        elif item.get("type") == "skipped":
            skipped += item["bytes"]
        if read + skipped == TOTAL:
            break
    box.await_file("printed")
    assert read >= 1 << 20
    assert memory_of(run.process.pid) - before < 12 << 20

    slow_read = slow_skipped = 0
    for item in slow.items():
        if isinstance(item, Output):
            assert item.offset == slow_read + slow_skipped
            assert item.data == printed[item.offset : item.offset + len(item.data)]
            slow_read += len(item.data)
        elif item.get("type") == "skipped":
            slow_skipped += item["bytes"]
        if slow_read + slow_skipped == TOTAL:
            break
    assert slow_skipped > TOTAL // 2
    slow.close()
    run.client.request("stop-run")
    assert run.process.wait(timeout=60) == -signal.SIGTERM
    drain.wait(timeout=60)
    run.client.close()
    box.await_nothing_left()


def test_clients_that_break_the_protocol_are_disconnected(box: Box) -> None:
    box.scripts(dev="exec sleep 600")
    run = ControlledRun(box, "run", "--parallel", "--watch", "dev")
    for sent in (b"GET / HTTP/1.1\r\n\r\n", struct.pack(">IB", 1 << 30, ord("J")), b"\0\0\0\x03J{]"):
        with connect(run) as peer:
            peer.sendall(sent)
            while peer.recv(1 << 16):  # the greeting, then the end
                pass
    with connect(run) as peer:
        peer.sendall(encode_message({"id": 1, "do": "snapshot"})[:7])  # killed in the middle of a frame
    peers = [connect(run) for _ in range(70)]
    states = [peer.recv(1) for peer in peers]
    assert states.count(b"") == 70 - 63  # the test has one more
    for peer in peers:
        peer.close()
    with connect(run) as peer:
        request = encode_message({"id": 1, "do": "snapshot"})
        with pytest.raises(OSError):  # replies that are not read pile up until the run disconnects
            for _ in range(MOST_QUEUED_BYTES):
                peer.sendall(request)
    run.await_states(dev="running")
    run.end()


OTHER_USER = """
import os, socket, sys
os.setgid(65534)
os.setuid(65534)
peer = socket.socket(socket.AF_UNIX)
peer.connect(sys.argv[1])
print(len(peer.recv(100)))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_is_refused_also_by_a_folder_that_is_open(box: Box) -> None:
    box.scripts(dev="exec sleep 600")
    run = ControlledRun(box, "run", "--parallel", "--watch", "dev")
    assert run.folder.stat().st_mode & 0o777 == 0o700
    assert run.folder.parent.stat().st_mode & 0o077 == 0
    for folder in (run.folder, *run.folder.parents):
        if os.stat(folder).st_uid == os.geteuid() and folder != folder.parent:
            os.chmod(folder, os.stat(folder).st_mode | 0o711)
    os.chmod(run.folder / "socket", 0o777)
    result = subprocess.run(
        [sys.executable, "-c", OTHER_USER, str(run.folder / "socket")], capture_output=True, cwd="/"
    )
    assert (result.stdout, result.stderr) == (b"0\n", b"")
    run.end()
