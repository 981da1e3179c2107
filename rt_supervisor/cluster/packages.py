"""`node_modules` on an agent: installed from the lockfile by the package manager of the workspace, once for each lockfile.

The first run with a lockfile installs into its tree, and the folders are stored; those of later runs are links to the stored files.
"""

from __future__ import annotations

import asyncio
import os
import shutil

from .._native import blob_digest
from ..workspace import resolved
from .pruning import PACKAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .manifests import Row

NO_SETUP = "none"  # the value of [cluster] setup that installs nothing
_FOLDER = "node_modules"
_COMMANDS = {
    "package-lock.json": "npm ci",
    "npm-shrinkwrap.json": "npm ci",
    "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
    "bun.lock": "bun install --frozen-lockfile",
    "yarn.lock": "yarn install --frozen-lockfile",
}
_MODERN_YARN = ".yarnrc.yml"  # the configuration of Yarn 2 and later, whose flag has another name
_COUNTING = (
    "package.json",
    ".npmrc",
    _MODERN_YARN,
    ".yarnrc",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    *resolved.FILE_NAMES,
)
_SHOWN_BYTES = 2000


class InstallationFailed(Exception):
    """The packages could not be installed; the message has the command and the end of what it printed."""


def install_command(rows: Sequence[Row]) -> str:
    """Return the command that installs what the lockfile among `rows` says, "" without one."""
    paths = {row.path for row in rows}
    name = next((name for name in resolved.FILE_NAMES if name in paths), None)
    if name == "yarn.lock" and _MODERN_YARN in paths:
        return "yarn install --immutable"
    return "" if name is None else _COMMANDS[name]


async def install_packages(
    tree: str, rows: Sequence[Row], *, folder: str, command: str, environment: Mapping[str, str]
) -> None:
    """Give `tree`, which has the files `rows`, its `node_modules`; `folder` is that of the agent. `command` replaces the one that is
    derived from the lockfile, unless it is empty. Raises InstallationFailed, OSError.
    """
    command = command or install_command(rows)
    if not command or command == NO_SETUP:
        return
    counting = sorted(f"{row.digest} {row.path}" for row in rows if os.path.basename(row.path) in _COUNTING)
    stored = os.path.join(folder, PACKAGES, blob_digest("\n".join((command, *counting)).encode()))
    if not os.path.isdir(stored):
        await _install(tree, command, environment)
        await asyncio.to_thread(_store, tree, stored)
        return
    os.utime(stored)  # it is used (`pruning`)
    await asyncio.to_thread(_link_below, stored, tree)


async def _install(tree: str, command: str, environment: Mapping[str, str]) -> None:
    process = await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        command,
        cwd=tree,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    if process.returncode != 0:
        end = printed[-_SHOWN_BYTES:].decode("utf-8", "replace").strip()
        raise InstallationFailed(f'"{command}" failed with status {process.returncode} on the agent: {end}')


def _store(tree: str, stored: str) -> None:
    """Store the installed folders of `tree` at `stored`."""
    draft = f"{stored}.{os.getpid()}-{os.urandom(4).hex()}"
    os.makedirs(draft)
    for path in _installed(tree):
        _link_tree(os.path.join(tree, path), os.path.join(draft, path))
    try:
        os.rename(draft, stored)
    except OSError:  # another run has stored it meanwhile
        shutil.rmtree(draft, ignore_errors=True)


def _link_below(stored: str, tree: str) -> None:
    for path in _installed(stored):
        _link_tree(os.path.join(stored, path), os.path.join(tree, path))


def _installed(root: str) -> Iterator[str]:
    """Yield the outermost `node_modules` below `root`, relative to it."""
    todo = [""]
    while todo:
        at = todo.pop()
        for entry in os.scandir(os.path.join(root, at)):
            if entry.is_dir(follow_symlinks=False):
                path = f"{at}/{entry.name}" if at else entry.name
                if entry.name == _FOLDER:
                    yield path
                else:
                    todo.append(path)


def _link_tree(source: str, target: str) -> None:
    shutil.copytree(source, target, symlinks=True, copy_function=_link_file, dirs_exist_ok=True)


def _link_file(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return
    except OSError:  # another file system, or more links than it allows
        shutil.copy2(source, target, follow_symlinks=False)
