"""A command of a package that nobody has installed: the package is put into the store, and its program found there."""

from __future__ import annotations

import json
import os

from .auto_install import make_parts
from .installing import programs_of
from .problems import PackageProblem
from .project import meant
from .specifiers import read_specifier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def install_binary(words: str, command: str, folder: str, environment: Mapping[str, str]) -> str:
    """Return the program `command` of the package that `words` (`eslint`, `eslint@9`, `@s/name`) names, installing it.

    Without a command it is the package's only program, else the one that is called as the package is. Raises
    PackageProblem.
    """
    wanted = read_specifier(words)
    if wanted is None or wanted.inside:
        raise PackageProblem(f'"{words}" is no name of a package')
    parts = make_parts(folder, environment, "")
    if parts is None:
        raise PackageProblem("there is no cache folder to put it into")
    installer, store = parts
    package = installer.install(*meant(wanted, folder))
    name = package.name
    place = os.path.join(store.place(package), "node_modules", name)
    try:
        with open(os.path.join(place, "package.json"), "rb") as file:
            programs = programs_of(json.load(file), name)
    except (OSError, ValueError, AttributeError) as error:
        raise PackageProblem(f"{package} has no package.json that can be read") from error
    own = name.rpartition("/")[2]
    if not command and len(programs) == 1:
        command = next(iter(programs))
    path = programs.get(command or own)
    if path is None:
        hint = (
            f": `rt x -p {words} {sorted(programs)[0]}` runs one of {', '.join(sorted(programs))}" if programs else ""
        )
        raise PackageProblem(f'{package} has no program "{command or own}"{hint}')
    return os.path.normpath(os.path.join(place, path))
