"""The commands that see and steer a running run: `rt ps`, `logs`, `attach`, `start`, `restart` and `stop`.

Each is a client of the run (`control.client`). Without the id of a run, they mean the only run of the current workspace.
"""

from __future__ import annotations

import json

from ... import __version__
from ...control.client import ControlClient
from ...control.runs import living_runs
from ...control.task_names import task_name
from ...vocabulary.errors import Failed
from ...workspace.finding import find_root
from ..line.command_words import parse
from ..streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..line.command_words import CommandWords
    from ..request import Request

    Run = tuple[str, dict[str, Any]]  # the folder of its entry, and its description

_DONE = {"start": "started", "restart": "restarted", "stop": "stopped"}


def control_run(request: Request) -> int:
    """Execute the command of `request` and return its exit status. Raises Failed."""
    command = request.invocation.command
    given = parse(command, request.invocation.arguments)
    match command:
        case "ps":
            from .run_list import list_runs

            if given.words:
                raise Failed("run-usage", "usage: rt ps [--json]")
            return list_runs(given)
        case "logs":
            from .run_output import print_logs

            (folder, _), tasks = _choose(request, given.words)
            return print_logs(folder, tasks, given)
        case "attach":
            from .run_form import can_show_screen

            folder = _attached(request, given.words)
            if not given.has("json") and can_show_screen(request.environment):
                from .attached_screen import attach_screen

                status = attach_screen(request, folder, has_input=not given.has("no-input"))
                if status is not None:
                    return status
            from .run_output import attach

            return attach(folder, given)
    return _steer(request, command, given)


def _steer(request: Request, command: str, given: CommandWords) -> int:
    (folder, about), tasks = _choose(request, given.words)
    is_restart_of_failed = given.has("failed")
    if not tasks and not is_restart_of_failed and command != "stop":
        raise Failed("run-usage", f"usage: rt {command} [run] TASK...\nnote: `rt logs {about['id']}` shows its tasks")
    if tasks and is_restart_of_failed:
        raise Failed("run-usage", "usage: rt restart [run] TASK..., or rt restart [run] --failed")
    client = ControlClient(folder, version=__version__)
    if command == "stop" and not tasks:
        return _stop_run(client, given)
    client.request("subscribe")
    if is_restart_of_failed:
        keys = client.request("restart-failed")["tasks"]
    else:
        keys = client.request(command, tasks=list(tasks))["tasks"]
    if command == "stop":
        _await_ends(client, set(keys))
    labels = [task["label"] for task in client.request("snapshot")["tasks"] if task["task"] in keys]
    if given.has("json"):
        write(1, json.dumps({"run": about["id"], _DONE[command]: labels}) + "\n")
    else:
        write(1, f"{_DONE[command]} {', '.join(labels)}\n" if labels else f"nothing to {command}\n")
    return 0


def _await_ends(client: ControlClient, keys: set[int]) -> None:
    """Wait until these tasks have ended."""
    for task in client.request("snapshot")["tasks"]:
        if task["state"] != "running":
            keys.discard(task["task"])
    left = set(keys)
    for item in client.items() if left else ():
        if isinstance(item, dict) and item.get("event") == "task-ended":
            left.discard(item["task"])
        if not left:
            return


def _stop_run(client: ControlClient, given: CommandWords) -> int:
    """End the run, and wait until nothing of it is left."""
    client.request("stop-run")
    for _ in client.items():
        pass
    run_id = client.run.get("id")
    write(1, json.dumps({"stopped": run_id}) + "\n" if given.has("json") else f"stopped run {run_id}\n")
    return 0


def _attached(request: Request, words: Sequence[str]) -> str:
    if len(words) > 1:
        raise Failed("run-usage", "usage: rt attach [run] [--no-input] [--json]")
    (folder, _), others = _choose(request, words)
    if others:
        known = living_runs()
        runs = f"runs: {', '.join(_shown(run) for run in known)}" if known else "nothing runs"
        raise Failed("no-such-run", f'there is no run "{others[0]}"\nnote: {runs}')
    return folder


def _choose(request: Request, words: Sequence[str]) -> tuple[Run, tuple[str, ...]]:
    """Return the run that `words` begin with, or else that of the workspace, and the words that are left. Raises Failed."""
    runs = living_runs()
    if words:
        for run in runs:
            if run[1].get("id") == words[0]:
                return run, tuple(words[1:])
    root = find_root(request.folder)
    here = [run for run in runs if run[1].get("root") == root]
    if len(here) == 1:
        return here[0], tuple(words)
    if here:
        shown = ", ".join(_shown(run) for run in here)
        raise Failed(
            "several-runs", f"{len(here)} runs are those of this workspace: {shown}\nnote: put the id of one first"
        )
    others = [run for run in runs if run not in here]
    note = f"note: elsewhere: {', '.join(_shown(run) for run in others)}" if others else _HOW_TO_START
    command = request.invocation.command
    script = f', and there is no script "{command}"' if command in _DONE else ""  # the names of common scripts
    raise Failed("no-run", f"no run of {root} can be controlled{script}\n{note}")


_HOW_TO_START = "note: runs with --detach, --watch or --ui=tui can"


def _shown(run: Run) -> str:
    names = " ".join(run[1].get("names", ()))
    return f"{run[1].get('id')} ({names})" if names else str(run[1].get("id"))


def running_names(folder: str, words: Sequence[str]) -> dict[str, str]:
    """Return what can follow `words` on the command line, each with a description: runs first, and the tasks of the run that is meant."""
    runs = living_runs()
    found = {} if words else {str(about.get("id")): "run" for _, about in runs}
    named = [run for run in runs if words and run[1].get("id") == words[0]]
    root = find_root(folder)
    for entry, _ in named or [run for run in runs if run[1].get("root") == root]:
        client = ControlClient(entry, version=__version__)
        for task in client.request("snapshot")["tasks"]:
            found[task_name(task["package"], task["script"])] = task["state"]
        client.close()
    return found
