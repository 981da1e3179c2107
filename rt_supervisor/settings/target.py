"""What `rt run NAME` refers to: a package.json script, a source file, a local binary or a system command, in that
order.

Reads the disk and runs nothing. Absolute paths and paths that start with `./` or `../` are
source files even if a script has the same name; without `run`, a file with an extension precedes a script, and system
commands are not looked up.
"""

from __future__ import annotations

import os

from ..start.dependencies import depend_on
from ..vocabulary.errors import SCRIPT_NOT_FOUND, Failed
from ..vocabulary.extensions import EXTENSIONS
from ..vocabulary.record import record
from .environment import DEFAULT_PATH, ancestors, find_executable, is_executable, is_passable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SCRIPT = "script"
FILE = "file"
SHELL_FILE = "shell-file"  # *.sh: run by a shell
PAGE = "page"  # *.md: shown
BINARY = "binary"
SYSTEM = "system"

MODULE_NOT_FOUND = "module-not-found"
NOT_FOUND = (SCRIPT_NOT_FOUND, MODULE_NOT_FOUND)  # the reasons that --if-present turns into exit status 0
# Data files: naming one is an error with its own message.
_DATA = {
    ".json": "json",
    ".jsonc": "jsonc",
    ".toml": "toml",
    ".txt": "text",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".css": "css",
    ".xml": "xml",
}


_WRITTEN_FOR = {".js": (".ts", ".tsx"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}


@record
class Target:
    """What a name refers to. `path` is absolute; `name` is as on the command line.

    `path` is "" for a script, for the `node` that is rt, and for a source file that --watch waits for.
    """

    kind: str
    name: str
    path: str = ""


@record
class Places:
    """Where names are looked up: `folder` (absolute) for files and binaries, `scripts` of the nearest package.json.

    `path` is PATH; `problem` is printed after "not found" if the package.json could not be read; `loaders` holds the
    extensions that --loader makes runnable.
    """

    folder: str
    scripts: Mapping[str, str]
    path: str = DEFAULT_PATH
    problem: str = ""
    extensions: Sequence[str] = EXTENSIONS
    loaders: Sequence[str] = ()


def find_target(name: str, places: Places, *, with_run: bool, node_is_rt: bool = False) -> Target:
    """Return what `name` refers to. Raises `Failed`, with a reason of `NOT_FOUND` if it refers to nothing.

    With `node_is_rt` (--rt), the system command `node` is rt itself, whether or not it exists (its `path` is "").
    """
    if _is_path(name):
        return _file(name, places) or _not_found(name, places)
    file_first = not with_run and os.path.splitext(name)[1] in places.extensions
    target = (_file(name, places) if file_first else None) or _script(name, places)
    target = target or _file_or_binary(name, places)
    if target is None and node_is_rt and name == "node":
        return Target(SYSTEM, name)
    if target is None and with_run and os.sep not in name and name:
        found = find_executable(name, places.path)
        target = Target(SYSTEM, name, os.path.abspath(found)) if found else None
    return target or _not_found(name, places)


def _file_or_binary(name: str, places: Places) -> Target | None:
    """Return a source file before a binary, and a binary before a data file, so that `nx` does not run `nx.json`."""
    try:
        return _file(name, places) or find_binary(name, places)
    except Failed:
        binary = find_binary(name, places)
        if binary is None:
            raise
        return binary


def find_binary(name: str, places: Places) -> Target | None:
    """Return the executable `name` in the `node_modules/.bin` of an ancestor of the folder, nearest first."""
    if not name or os.sep in name or name in (".", ".."):
        return None
    for folder in ancestors(places.folder):
        candidate = os.path.join(folder, "node_modules", ".bin", name)
        if is_executable(candidate):
            return Target(BINARY, name, candidate)
    return None


def find_file(name: str, folder: str, extensions: Sequence[str] = EXTENSIONS) -> str | None:
    """Return the absolute path of the source file that `name` refers to: itself, with an extension, or the entry of a folder.

    A pipe is a source file if it is named by a path: `rt <(make program)`, `rt /dev/stdin`.
    """
    path = os.path.normpath(os.path.join(folder, name))
    if _is_path(name) and is_pipe(path):
        return path
    if not name.endswith(os.sep):
        found = _existing(path, extensions)
        if found:
            return found
    if not os.path.isdir(depend_on(path)):
        return path if _is_in_archive(path) else None
    main = _main_field(os.path.join(path, "package.json"))
    if main:
        target = os.path.normpath(os.path.join(path, main))
        found = _existing(target, extensions) or _existing(os.path.join(target, "index"), extensions)
        if found:
            return found
    return _existing(os.path.join(path, "index"), extensions)


def binary_argv(target: Target, arguments: Sequence[str], *, executable: str, use_rt: bool) -> tuple[str, ...]:
    """Return the words that run a binary or system command, program first.

    With `use_rt` a binary whose shebang names node runs with rt (`executable`), whichever node the line names. A script
    without a shebang goes to sh, as every shell would do.
    """
    interpreter = shebang(target.path)
    if use_rt and interpreter and names_node(interpreter):
        return (executable, target.path, *arguments)
    if interpreter is None and not _is_native(target.path):
        return ("/bin/sh", target.path, *arguments)
    return (target.path, *arguments)


def shebang(path: str) -> tuple[str, ...] | None:
    """Return the words of the `#!` line of `path`; None without one."""
    start = _first_bytes(path, 512)
    if not start.startswith(b"#!"):
        return None
    return tuple(os.fsdecode(start[2:].partition(b"\n")[0]).split())


def names_node(interpreter: Sequence[str]) -> bool:
    """Return whether a shebang line runs node: `/usr/bin/node`, `/usr/bin/env node`, `/usr/bin/env -S A=1 node
    --flag`."""
    words = list(interpreter)
    if words and os.path.basename(words[0]) == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return bool(words) and os.path.basename(words[0]) in ("node", "nodejs")


def _is_path(name: str) -> bool:
    return name in (".", "..") or name.startswith(("/", "./", "../", ".\\", "..\\"))


def _script(name: str, places: Places) -> Target | None:
    command = places.scripts.get(name)
    if not command:
        return None
    if not is_passable(command) or not is_passable(name):
        raise Failed(
            "script-not-runnable",
            f'script "{name}" cannot be run: it contains characters that cannot be passed to a program',
        )
    return Target(SCRIPT, name)


def _file(name: str, places: Places) -> Target | None:
    try:
        path = find_file(name.replace("\\", "/") if name.startswith(".") else name, places.folder, places.extensions)
    except (OSError, ValueError):  # too long, a NUL, a folder that may not be entered
        return None
    if path is None:
        return None
    extension = os.path.splitext(path)[1]
    if extension == ".sh":
        return Target(SHELL_FILE, name, path)
    if extension in (".md", ".markdown") and extension not in places.loaders:
        return Target(PAGE, name, path)
    if extension in _DATA and extension not in places.loaders:
        what = _DATA[extension]
        raise Failed("not-runnable", f'Cannot run "{path}"\nnote: rt cannot run {what} files directly')
    return Target(FILE, name, path)


def _is_in_archive(path: str) -> bool:
    """Whether `path` leads into a zip file, which a preload of the program reads (Yarn Plug'n'Play)."""
    archive, mark, _ = path.partition(".zip" + os.sep)
    return mark != "" and os.path.isfile(depend_on(archive + ".zip"))


def is_pipe(path: str) -> bool:
    """Return whether `path` is a pipe, or a link to one."""
    try:
        return os.stat(depend_on(path)).st_mode & 0o170000 == 0o010000
    except (OSError, ValueError):
        return False


def possible_files(name: str, places: Places) -> list[str]:
    """Return the paths of which one has to exist for `name` to be a source file, as in `find_file`."""
    path = os.path.normpath(os.path.join(places.folder, name))
    inside = [os.path.join(path, "package.json"), *_candidates(os.path.join(path, "index"), places.extensions)]
    return inside if name.endswith(os.sep) else [*_candidates(path, places.extensions), *inside]


def _candidates(path: str, extensions: Sequence[str]) -> Iterator[str]:
    yield path
    for extension in extensions:
        yield path + extension
    stem, written = os.path.splitext(path)
    for meant in _WRITTEN_FOR.get(written, ()):  # named by its future compiled file
        yield stem + meant


def _existing(path: str, extensions: Sequence[str]) -> str | None:
    return next((each for each in _candidates(path, extensions) if os.path.isfile(depend_on(each))), None)


def _main_field(path: str) -> str | None:
    """Return the "main" of a package.json; None if it cannot be read, so that the index file is used."""
    if not os.path.isfile(depend_on(path)):
        return None
    from .._native import Manifest, read_manifests

    (manifest,) = read_manifests((path,))
    main = manifest.main if isinstance(manifest, Manifest) else None
    return main if main and "\0" not in main else None


def _not_found(name: str, places: Places) -> Target:
    extension = os.path.splitext(name)[1]
    is_module = name.startswith((".", "/")) or (extension in places.extensions and extension != ".node")
    what = "Module" if is_module else "File" if extension else "Script"
    message = f'{what} not found "{name}"'
    if places.problem:
        message += f"\nnote: {places.problem}"
    raise Failed(MODULE_NOT_FOUND if is_module or extension else SCRIPT_NOT_FOUND, message)


def _is_native(path: str) -> bool:
    """Return whether the kernel can start `path` without a shebang: ELF, Mach-O, or a file that only the kernel can
    read."""
    start = _first_bytes(path, 4)
    return start in (b"\x7fELF", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe") or not start


def _first_bytes(path: str, count: int) -> bytes:
    try:
        descriptor = os.open(depend_on(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return os.read(descriptor, count)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
