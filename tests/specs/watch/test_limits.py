"""The system's limits on file watches, reached by the real rt: it polls the files instead, with one warning.

The limits are those of a user namespace of the test (namespaces(7): /proc/sys/user belongs to the namespace), so the
machine is not affected; if such a namespace cannot be created, the test is skipped.
"""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from rig import Box, executable
from watching import STAYS, Watching, save

OUTSIDE = os.readlink("/proc/self/ns/user")
LIMITED = f"""
[ "$(readlink /proc/self/ns/user)" != '{OUTSIDE}' ] || exit 9
echo $2 > /proc/sys/user/$1 || exit 9
shift 2
exec "$@"
"""


def limited_command(limit: str, number: int, *command: str) -> list[str]:
    """Return `command` wrapped so that its user may have `number` of what `limit` counts."""
    return ["unshare", "--user", "--map-root-user", "sh", "-c", LIMITED, "sh", limit, str(number), *command]


class LimitedWatching(Watching):
    """rt --watch below a limit."""

    def __init__(self, box: Box, limit: str, number: int, *arguments: str) -> None:
        try:
            can_be = subprocess.run(limited_command(limit, number, "true"), capture_output=True).returncode == 0
        except FileNotFoundError:
            can_be = False
        if not can_be:
            pytest.skip("no user namespace can be had here")
        self.box = box
        self.seen = ""
        self.process = subprocess.Popen(
            limited_command(limit, number, executable(), *arguments),
            cwd=box.folder,
            env=box.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        box.started.append(self.process)
        assert self.process.stdout is not None
        self.descriptor = self.process.stdout.fileno()


@pytest.mark.parametrize(
    ("limit", "number"), [("max_inotify_watches", 3), ("max_inotify_watches", 0), ("max_inotify_instances", 0)]
)
def test_a_program_is_followed_without_events(box: Box, limit: str, number: int) -> None:
    names = [f"m{number}/part.js" for number in range(6)]
    box.write(dict.fromkeys(names, "exports.part = 'a';"))
    parts = " + ".join(f"require('./{name}').part" for name in names)
    box.write({"a.js": f"console.log('parts', {parts}); {STAYS}"})
    watching = LimitedWatching(box, limit, number, "--watch", "a.js")
    reported = f"fs.inotify.{limit.replace('inotify', 'user')}"
    everything = watching.read_until("parts aaaaaa\n")
    if reported not in everything:
        everything += watching.read_until("or exclude folders")
    assert "the limit on file watches is reached: checking for changes every" in everything
    assert re.search(rf"raise the limit \(sudo sysctl {reported}=\d+\)", everything)
    save(box, "m5/part.js", "exports.part = 'b';")
    everything = watching.read_until("parts aaaaab\n")
    save(box, "m0/part.js", "exports.part = 'c';")
    everything += watching.read_until("parts caaaab\n")
    assert "the limit on file watches" not in everything, "it was reported twice"
    watching.end()
    box.await_nothing_left()


def test_a_workspace_is_followed_without_events(box: Box) -> None:
    box.write({"package.json": {"name": "root", "private": True, "workspaces": ["packages/*"]}})
    for name in "abc":
        box.write({f"packages/{name}/package.json": {"name": name, "scripts": {"show": "cat text"}}})
        box.write({f"packages/{name}/text": f"{name} one\n"})
    watching = LimitedWatching(box, "max_inotify_watches", 2, "run", "--filter", "*", "--watch", "show")
    shown = ""
    while not all(each in shown for each in ("a one", "b one", "c one", "the limit on file watches")):
        shown += watching.read_until("\n")
    save(box, "packages/b/text", "b two\n")
    watching.read_until("b two")
    watching.end()
    box.await_nothing_left()
