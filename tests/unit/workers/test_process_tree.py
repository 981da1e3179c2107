from __future__ import annotations

import os
import subprocess

from rig import wait_until

from rt_supervisor.workers.process_tree import children_of, descendants_of, is_gone, kill_below


def test_children_and_descendants() -> None:
    command = "sleep 1000 & sh -c 'sleep 1000 & wait' & echo started; wait"
    with subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        wait_until(lambda: len(descendants_of([process.pid])) == 3, "two children, one grandchild")
        assert len(children_of(process.pid)) == 2
        assert set(children_of(process.pid)) < set(descendants_of([process.pid]))
        assert kill_below(process.pid, reap=lambda: None)
        process.kill()
    assert descendants_of([process.pid]) == []


def test_a_process_that_keeps_forking_does_not_escape() -> None:
    """A chain in which each process starts its successor and ends: only stopping first can catch it."""
    script = 'echo x >&3; (setsid bash -c "$0" "$0" &); sleep 0.001'
    read, write = os.pipe()
    guard = os.fork()
    if guard == 0:
        from rt_supervisor import _native

        _native.become_subreaper()
        os.dup2(write, 3)
        subprocess.Popen(["bash", "-c", script, script], pass_fds=(3,))
        os.read(read, 10)  # it runs

        def reap() -> None:
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                pass

        is_over = kill_below(os.getpid(), reap=reap)
        os._exit(0 if is_over and all(map(is_gone, children_of(os.getpid()))) else 1)  # zombies may be left to reap
    os.close(write)
    assert os.waitstatus_to_exitcode(os.waitpid(guard, 0)[1]) == 0
    while os.read(read, 65536):  # the end of the stream: no process of the chain holds it any more
        pass
    os.close(read)


def test_gone_is_gone() -> None:
    process = subprocess.Popen(["true"])
    wait_until(lambda: is_gone(process.pid), "a zombie counts as gone")
    process.wait()
    assert is_gone(process.pid)
    assert not is_gone(os.getpid())
