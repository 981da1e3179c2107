"""Workers: threads with their own engines. The JavaScript part is `js/node/worker_threads`."""

from __future__ import annotations

import itertools
import json
import os

from ..program.options import CA_STORES, ProgramOptions
from ..program.thread import ThreadProgram, WorkerThread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ... import _native
    from ..program.provider import ProgramProvider

_numbers = itertools.count(1)  # one sequence for the process, shared with the workers of workers
_inboxes: dict[int, int] = {}  # number of a thread -> its mailbox; 0 is the main thread
_channels: dict[str, set[int]] = {}  # name of a BroadcastChannel -> mailboxes of all engines


def operations(provider: ProgramProvider) -> dict[str, Any]:
    def start(request: str, on_end: _native.JsFunction) -> int:
        """Start the worker that `request` (JSON) describes; `on_end(status, reason)` is called when it has ended."""
        wanted = json.loads(request)
        number = next(_numbers)
        wanted["settings"]["threadId"] = number
        _inboxes[number] = wanted["settings"]["boxes"]["begin"]
        options = options_of(provider.options, wanted, keeps_maps=provider.files.keeps_maps)
        limit = wanted["heapLimitMb"]
        heap_limit_bytes = int(limit * 2**20) if limit else None
        hub = provider.debugging.hub if provider.is_debugged else None
        provider.loop.waker()  # the worker reports its end from its own thread

        def make() -> ThreadProgram:
            return ThreadProgram(options, wanted["settings"], heap_limit_bytes, hub, provider.main)

        def report_end(status: int, reason: str) -> None:
            def report() -> None:
                provider.threads.pop(number, None)
                _inboxes.pop(number, None)
                provider.entry.invoke("call", on_end, status, reason)

            provider.loop.complete(report)

        try:
            provider.threads[number] = WorkerThread(make, report_end)
        except RuntimeError:  # no thread can be started
            report_end(1, "EAGAIN")
        return number

    def terminate(number: int) -> None:
        thread = provider.threads.get(number)
        if thread is not None:
            thread.terminate()

    def join(name: str, mailbox: int) -> None:
        """Deliver what other engines post to the channel `name` to `mailbox`."""
        _channels.setdefault(name, set()).add(mailbox)

    def leave(name: str, mailbox: int) -> None:
        boxes = _channels.get(name, set())
        boxes.discard(mailbox)
        if not boxes:
            _channels.pop(name, None)

    def others(name: str, mailbox: int) -> list[int]:
        return sorted(_channels.get(name, set()) - {mailbox})

    def settle_main(mailbox: int) -> None:
        """Set the mailbox of the main thread."""
        _inboxes[0] = mailbox

    return {
        "start": start,
        "terminate": terminate,
        "join": join,
        "leave": leave,
        "others": others,
        "settleMain": settle_main,
        "inboxOf": lambda number: _inboxes.get(number, -1),
    }


def options_of(parent: ProgramOptions, wanted: dict[str, Any], *, keeps_maps: bool) -> ProgramOptions:
    """Return the parent's options with the worker's own changes."""
    changes: dict[str, Any] = {
        "entry": wanted["entry"],
        "code": wanted["code"],
        "code_name": "[worker eval]",
        "prints": False,
        "arguments": tuple(wanted["argv"]),
        "runtime_arguments": tuple(wanted["execArgv"]),
        "environment": wanted["env"],
        "no_addons": parent.no_addons or _refuses_addons(wanted),
        "folder": os.getcwd(),
        **_own_options(wanted),
        "start": _start_values(parent, wanted),
        "inspect": "",
        "listens_on_signal": False,
        "inline_maps": keeps_maps,
        "hot": False,
    }
    fields: Callable[[str], Any] = lambda name: changes[name] if name in changes else getattr(parent, name)  # noqa: E731
    return ProgramOptions(**{name: fields(name) for name in ProgramOptions.__match_args__})


def _own_options(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the options that the worker's own flags set: if it has any, they replace those of the parent."""
    own = wanted.get("flags")
    options = {} if own is None else dict(own["options"])
    if wanted["preloads"] is not None:
        options["preloads"] = wanted["preloads"]
    return {name: tuple(value) if isinstance(value, list) else value for name, value in options.items()}


def _start_values(parent: ProgramOptions, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the start values that flags set: the parent's, then the worker's own; the title belongs to the process."""
    own = wanted.get("flags")
    values = {name: value for name, value in parent.start.items() if name != "title"}
    values |= {} if own is None else own["start"]
    network = {name: value for name, value in values.get("network", {}).items() if name != "caStore"}
    if store := next((_CA_FLAGS[word] for word in reversed(_flags(wanted)) if word in _CA_FLAGS), None):
        network["caStore"] = store
    return {**values, "network": network}


_CA_FLAGS = {f"--{flag}": store for flag, store in CA_STORES.items()} | {
    "--no-use-system-ca": CA_STORES["use-bundled-ca"]
}


def _refuses_addons(wanted: dict[str, Any]) -> bool:
    """Whether a worker's own flags disable native addons; the last one wins."""
    return next(
        (word == "--no-addons" for word in reversed(_flags(wanted)) if word in ("--addons", "--no-addons")), False
    )


def _flags(wanted: dict[str, Any]) -> list[str]:
    environment = os.environ if wanted["env"] is None else wanted["env"]
    words = [*str(environment.get("NODE_OPTIONS") or "").split(), *map(str, wanted["execArgv"])]
    # Only flags without values are searched for; Node accepts underscores for dashes in names.
    return [word.replace("_", "-") for word in words]
