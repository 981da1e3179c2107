"""`node --run SCRIPT`: a script of the nearest package.json, without its hooks, as Node runs it.

Finds the script and becomes its shell, in the folder of package.json, with NODE_RUN_SCRIPT_NAME, NODE_RUN_PACKAGE_JSON_PATH and
PATH. Imported only under the name `node`, if the command line contains the flag.
"""

from __future__ import annotations

import json
import os
import re
import signal

from ...settings.environment import ancestors
from ...start.dependencies import dependencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SHELL = "/bin/sh"
_SPECIAL = re.compile(r"[\t\n\r \"#$&'()*;<>?\\`|~]")


class Unrunnable(Exception):
    """The script does not exist or cannot be run; the message and the status are those of Node."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


def requested(argv: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return the script that `--run` names, "" without a name, and its arguments; None if the flag is not one of Node's own."""
    for at, word in enumerate(argv):
        name, equals, value = word.partition("=")
        if word == "--" or not word.startswith("-"):
            return None
        if name == "--run":
            rest = argv[at + 1 :]
            if not equals:
                value, rest = (rest[0], rest[1:]) if rest else ("", ())
            return value, _arguments(rest)
    return None


def _arguments(rest: Sequence[str]) -> tuple[str, ...]:
    """Return the words after `--`; Node drops others."""
    words = list(rest)
    return tuple(words[words.index("--") + 1 :]) if "--" in words else ()


def execute(script: str, rest: Sequence[str]) -> None:
    """Replace this process by the shell that runs `script`. Raises Unrunnable."""
    dependencies.prevent_caching()
    folder = os.getcwd()
    manifest = _find_manifest(folder)
    scripts = _scripts_of(manifest)
    command = scripts.get(script)
    if command is None:
        listing = "".join(f"  {name}: {text}\n" for name, text in scripts.items() if isinstance(text, str))
        if not script:
            raise Unrunnable(f"Available scripts are:\n{listing}", 9)
        raise Unrunnable(f'Missing script: "{script}" for {manifest}\n\nAvailable scripts are:\n{listing}')
    if not isinstance(command, str):
        raise Unrunnable(f'Script "{script}" is unexpectedly not a string for {manifest}\n\n')
    bins = [path for place in ancestors(folder) if os.path.isdir(path := os.path.join(place, "node_modules", ".bin"))]
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([*bins, os.environ.get("PATH", os.defpath)]),
        "NODE_RUN_SCRIPT_NAME": script,
        "NODE_RUN_PACKAGE_JSON_PATH": manifest,
    }
    os.chdir(os.path.dirname(manifest))
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored, signal.SIG_DFL)
    os.execve(_SHELL, ["sh", "-c", " ".join([command, *map(_quoted, rest)])], environment)


def _find_manifest(folder: str) -> str:
    for place in ancestors(folder):
        path = os.path.join(place, "package.json")
        if os.path.isfile(path):
            return path
    raise Unrunnable(f"Can't find package.json for directory {folder}\n")


def _scripts_of(manifest: str) -> dict[str, object]:
    try:
        with open(manifest, encoding="utf-8") as file:
            contents = json.load(file)
    except (OSError, ValueError):
        contents = None
    if not isinstance(contents, dict):
        raise Unrunnable(f"Can't parse {manifest}\n")
    scripts = contents.get("scripts")
    if not isinstance(scripts, dict):
        raise Unrunnable(f'Can\'t find "scripts" field in {manifest}\n')
    return scripts


def _quoted(word: str) -> str:
    if not word:
        return "''"
    if _SPECIAL.search(word) is None:
        return word
    quoted = word.replace("'", "'\\''")
    return f"'{quoted}'"
