"""The environment that scripts and local binaries run in: npm's variables, and PATH with every `node_modules/.bin`.

Functions are pure. `env_files` decides which `.env` files count, and `node_link` owns the folder with a link named `node`
(--rt). Variables of an outer run about its package never reach an inner run.
"""

from __future__ import annotations

import os
import sys

from .. import NODE_VERSION, __version__
from ..start.dependencies import depend_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from ..start.dependencies import Variables

    class BaseEnvironment(Variables, Protocol):
        """The environment that those of scripts are based on: `items` are passed on to them."""

        def items(self) -> Iterable[tuple[str, str]]: ...

    class Package(Protocol):
        """The parts of a `manifest.Manifest` from which scripts get variables."""

        @property
        def path(self) -> str: ...
        @property
        def folder(self) -> str: ...
        @property
        def name(self) -> str | None: ...
        @property
        def version(self) -> str | None: ...
        @property
        def config(self) -> Mapping[str, str]: ...


DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
_BIN = "/node_modules/.bin"
_ARCHITECTURES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
_PLATFORMS = {"linux": "linux", "darwin": "darwin", "win32": "win32"}


WATCH_INSPECT_PORT = (
    "_RT_WATCH_INSPECT_PORT"  # the debugger's port in each restart of a watched program that may use any
)
WATCH_SIGNAL = "_RT_WATCH_SIGNAL"  # the signal that a watching rt ends this one with: rt prints no message about it
# What an outer run set for its package and script, and a watching rt for the one that it starts.
DROPPED = ("npm_package_", "npm_lifecycle_", WATCH_SIGNAL, WATCH_INSPECT_PORT)
CHAIN = "RT_SCRIPT_CHAIN"  # the scripts that led to a process: a line each, folder, tab, name
MOST_TURNS = 10  # a script may start itself with other arguments, but not this often
MOST_REMEMBERED = 200


def script_environment(
    base: BaseEnvironment,
    package: Package | None,
    *,
    folder: str,
    executable: str,
    event: str | None = None,
    command: str | None = None,
    node_folder: str | None = None,
    known: dict[tuple[str, str], str | None] | None = None,
) -> dict[str, str]:
    """Return the complete environment of one script (or, without `event`, of a binary) run in `folder`.

    `base` is the process environment with `--env-file` values under it; `executable` the absolute path of rt;
    `node_folder` the folder of `node_link`, put first on PATH and named as NODE. `known` keeps the programs that were found for
    further calls.
    """
    environment = {name: value for name, value in base.items() if not name.startswith(DROPPED)}
    path = base.get("PATH") or DEFAULT_PATH
    environment["PATH"] = search_path(path, folder, executable=executable, node_folder=node_folder, known=known)
    node = os.path.join(node_folder, "node") if node_folder else _find_once("node", path, known)
    wanted: dict[str, str | None] = {
        "npm_config_local_prefix": package.folder if package else folder,
        "npm_config_user_agent": base.get("npm_config_user_agent") or user_agent(),
        "npm_execpath": base.get("npm_execpath") or executable,
        "npm_node_execpath": node,
        "NODE": node,
        "npm_command": "run-script",
        "npm_lifecycle_event": event,
        "npm_lifecycle_script": command,
    }
    if package:
        wanted["npm_package_json"] = package.path
        wanted["npm_package_name"] = package.name
        wanted["npm_package_version"] = package.version
        for name, value in package.config.items():
            if "=" not in name and is_passable(name):
                wanted[f"npm_package_config_{name}"] = value
    if event is not None:
        wanted[CHAIN] = longer_chain(base.get(CHAIN) or "", folder, event)
    for name, text in wanted.items():
        if text is not None and is_passable(text):
            environment[name] = text
    return environment


def longer_chain(chain: str, folder: str, event: str) -> str:
    """Return the chain of scripts that led to this one, including it. Raises Failed if a script keeps starting
    itself."""
    started = [*chain.split("\n"), f"{folder}\t{event}"] if chain else [f"{folder}\t{event}"]
    if started.count(started[-1]) > MOST_TURNS:
        from ..vocabulary.errors import Failed

        turn = started[len(started) - 2 - started[-2::-1].index(started[-1]) :]
        names = " → ".join(each.partition("\t")[2] for each in turn)
        raise Failed("endless-scripts", f'script "{event}" starts itself without end: {names}')
    return "\n".join(started[-MOST_REMEMBERED:])


def search_path(
    path: str,
    folder: str,
    *,
    executable: str,
    node_folder: str | None = None,
    known: dict[tuple[str, str], str | None] | None = None,
) -> str:
    """Return PATH for `folder` (`SearchPaths`)."""
    return SearchPaths(path, executable=executable, node_folder=node_folder, known=known).of(folder)


class SearchPaths:
    """Makes PATH for the folders of one run: the node link, the `.bin` of every ancestor (nearest first), then `path`.

    The folder of rt itself comes last when no `rt` is found otherwise, so that scripts can call it.
    """

    def __init__(
        self,
        path: str,
        *,
        executable: str,
        node_folder: str | None = None,
        known: dict[tuple[str, str], str | None] | None = None,
    ) -> None:
        self._first = [node_folder] if node_folder else []
        self._inherited = path.split(os.pathsep)
        own_folder = os.path.dirname(executable)
        is_needed = own_folder not in self._inherited and _find_once("rt", path, known) is None
        self._last = [own_folder] if is_needed else []
        # Without such a folder in what every PATH has, that is the same for all folders.
        others = (*self._first, *self._inherited, *self._last)
        is_apart = not any(each.endswith(_BIN) for each in others) and not set(self._first) & set(others[1:])
        self._end = os.pathsep.join([*self._inherited, *self._last]) if is_apart else ""
        self._bins: dict[str, list[str]] = {}  # of the folders above those of packages

    def of(self, folder: str) -> str:
        """Return PATH for `folder`."""
        bins = self._bins_of(folder)
        if self._end:
            return os.pathsep.join([*self._first, *bins, self._end])
        entries = [*self._first, *bins]
        entries += [entry for entry in self._inherited if entry not in entries]
        entries += [entry for entry in self._last if entry not in entries]
        return os.pathsep.join(entries)

    def _bins_of(self, folder: str) -> list[str]:
        if folder == "/":
            return [_BIN]
        parent, _, name = folder.rpartition("/")
        above = self._bins.get(parent)
        if above is None:
            above = self._bins[parent] = [each.rstrip("/") + _BIN for each in ancestors(parent or "/")]
        return above if name == "node_modules" else [folder + _BIN, *above]


def ancestors(folder: str) -> list[str]:
    """Return `folder` (absolute) and its parents, nearest first, without `node_modules` folders, which have no `.bin`."""
    found = []
    while folder != "/":
        parent, _, name = folder.rpartition("/")
        if name != "node_modules":
            found.append(folder)
        folder = parent or "/"
    found.append(folder)
    return found


def _find_once(name: str, path: str, known: dict[tuple[str, str], str | None] | None) -> str | None:
    """Return what `find_executable` does, for the first call with these arguments and `known` only."""
    if known is None:
        return find_executable(name, path)
    if (name, path) not in known:
        known[name, path] = find_executable(name, path)
    return known[name, path]


def find_executable(name: str, path: str) -> str | None:
    """Return the first executable file `name` in the folders of `path`, which may be relative to the working folder."""
    for folder in path.split(os.pathsep):
        candidate = os.path.join(folder or ".", name)
        if is_executable(candidate):
            return candidate
    return None


def is_executable(path: str) -> bool:
    """Return whether `path` is a regular file that this user can execute."""
    try:
        return os.stat(depend_on(path)).st_mode & 0o170000 == 0o100000 and os.access(path, os.X_OK)
    except (OSError, ValueError):
        return False


def is_passable(text: str) -> bool:
    """Return whether `text` can be an argument or variable of a process: it has no NUL, and can be encoded."""
    if text.isascii():
        return "\0" not in text
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


_user_agent = ""


def user_agent() -> str:
    """Return npm_config_user_agent, in the form that package managers use."""
    global _user_agent
    if not _user_agent:
        machine = os.uname().machine
        platform = _PLATFORMS.get(sys.platform, sys.platform)
        _user_agent = f"rt/{__version__} npm/? node/v{NODE_VERSION} {platform} {_ARCHITECTURES.get(machine, machine)}"
    return _user_agent


def own_executable() -> str:
    """Return the absolute path that starts this rt; with `python -m`, the `rt` beside the interpreter."""
    called = sys.argv[0] if sys.argv else ""
    if called and not called.endswith((".py", "-c", "-m")):
        found = called if os.sep in called else find_executable(called, os.environ.get("PATH") or DEFAULT_PATH)
        if found:
            return os.path.realpath(depend_on(found)) if os.path.basename(found) == "node" else os.path.abspath(found)
    return os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "rt")
