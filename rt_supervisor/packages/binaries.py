"""The program of a package that is not installed: installs the package into the store and returns the program's path."""

from __future__ import annotations

import json
import os

from .auto_install import make_parts
from .documents import read_programs
from .problems import PackageProblem
from .project import read_request
from .specifiers import read_specifier
from .unpacking import path_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def install_binary(words: str, command: str, folder: str, environment: Mapping[str, str]) -> str:
    """Install the package that `words` (`eslint`, `eslint@9`, `@scope/name`) names and return the path of a program of it.

    Without a command that is the package's only program, otherwise the one with the package's name. Raises PackageProblem.
    """
    wanted = read_specifier(words)
    if wanted is None or wanted.inside:
        raise PackageProblem(f'invalid package name: "{words}"')
    parts = make_parts(folder, environment, "")
    if parts is None:
        raise PackageProblem("no cache folder is safe to use")
    installer, store = parts
    package = installer.install(read_request(wanted, folder))
    name = package.name
    place = os.path.join(store.place(package), "node_modules", name)
    try:
        with open(os.path.join(place, "package.json"), "rb") as file:
            programs = read_programs(json.load(file), name)
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise PackageProblem(f"the package.json of {package} cannot be read") from error
    own = name.rpartition("/")[2]
    if not command and len(programs) == 1:
        command = next(iter(programs))
    path = programs.get(command or own)
    if path is None:
        hint = (
            f": `rt x -p {words} {sorted(programs)[0]}` runs one of {', '.join(sorted(programs))}" if programs else ""
        )
        raise PackageProblem(f'{package} has no program "{command or own}"{hint}')
    whole = path_inside(place, path)
    if whole is None:
        raise PackageProblem(f'the program "{command or own}" of {package} is outside the package: "{path}"')
    return whole
