"""`--build-snapshot`, `--build-snapshot-config` and `--snapshot-blob`: which file is run, and which heap is stored or started from."""

from __future__ import annotations

import json
import os

from ...engine_worker.start.heap_file import has_main
from ...settings.target import FILE, Target
from ...start.dependencies import dependencies
from ...vocabulary.errors import Failed
from ...vocabulary.record import replace
from ..line import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..line.arguments import Invocation
    from ..request import Request

_EMBEDDED = "node:embedded_snapshot_main"  # a file inside of Node
_BAD_ARGUMENT = 9  # Node's status for flags that do not go together


def builds(invocation: Invocation) -> bool:
    return invocation.is_set("build-snapshot") or "build-snapshot-config" in invocation.options


def builder(request: Request) -> Target:
    """Return the file whose heap is stored. Raises Failed."""
    dependencies.prevent_caching()
    invocation = request.invocation
    config = invocation.text("build-snapshot-config")
    if config is not None:
        name = _configured_builder(config)
    elif not invocation.names or invocation.names[0] == arguments.STDIN:
        raise Failed(
            "snapshot-without-file",
            "--build-snapshot must be used with an entry point script.\nUsage: node --build-snapshot /path/to/entry.js",
            _BAD_ARGUMENT,
        )
    else:
        name = invocation.names[0]
        if name.endswith(_EMBEDDED):
            raise Failed("snapshot-without-file", "Node.js was built without embedded snapshot", _BAD_ARGUMENT)
    return Target(FILE, name, os.path.abspath(os.path.join(request.folder, name)))


def _configured_builder(path: str) -> str:
    """Return the member `builder` of a configuration file. Raises Failed."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        raise Failed(
            "snapshot-config-invalid", f"Cannot read snapshot configuration from {path}: {error.strerror}"
        ) from error
    try:
        config = json.loads(text)
    except ValueError as error:
        raise Failed("snapshot-config-invalid", f"Cannot parse JSON from {path}") from error
    name = config.get("builder") if isinstance(config, dict) else None
    if not isinstance(name, str) or not name:
        raise Failed("snapshot-config-invalid", f'"builder" field of {path} is not a non-empty string')
    return name


def starts_main(request: Request) -> bool:
    """Return whether the heap to start from has a main function, which runs in place of a file. Raises Failed."""
    dependencies.prevent_caching()
    invocation = request.invocation
    return invocation.options.keys().isdisjoint(("eval", "print")) and has_main(_blob(request))


def with_all_arguments(request: Request) -> Request:
    """Return the request with all words as arguments of a stored main function."""
    invocation = request.invocation
    words = (*(name for name in invocation.names if name != arguments.STDIN), *invocation.arguments)
    changed: Request = replace(request, invocation=replace(invocation, names=(), arguments=words))
    return changed


def with_file(request: Request) -> Request:
    """Return the request for a file to run from a stored heap, which a call under the name `node` cannot mistake for a script."""
    invocation = request.invocation
    names = tuple(
        name if name == arguments.STDIN or name.startswith(("/", "./", "../")) else f"./{name}"
        for name in invocation.names
    )
    changed: Request = replace(request, invocation=replace(invocation, names=names))
    return changed


def options_of(request: Request) -> dict[str, Any]:
    """Return the fields of `ProgramOptions` that these flags set. Raises Failed."""
    if builds(request.invocation):
        return {"stores_heap": _blob(request)}
    return {"stored_heap": _blob(request), "has_stored_main": starts_main(request)}


def _blob(request: Request) -> str:
    return os.path.join(request.folder, request.invocation.text("snapshot-blob") or "")
