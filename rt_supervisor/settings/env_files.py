"""`.env` files: which are loaded, how they are parsed, and how `$NAME` in them expands.

Low to high: `.env`, `.env.{development,production,test}` by NODE_ENV, `.env.local` (not under NODE_ENV=test),
`.env.{...}.local`; `--env-file` replaces them all. The process environment always wins, and values never reach a shell.
Files that load by default come with a checkout, so they cannot set variables that change how programs are found or started.
"""

from __future__ import annotations

import os

from ..start.dependencies import depend_on, dependencies
from ..vocabulary.errors import Failed
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_NESTED = 100
MAX_BYTES = 16 * 1024 * 1024  # of one file, and of one expanded value
_RESERVED = frozenset(
    ("PATH", "NODE_OPTIONS", "BASH_ENV", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE")
)
_RESERVED_PREFIXES = ("LD_", "DYLD_", "RT_", "BUN_INSPECT")
_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


@record
class LoadedVariables:
    """The variables of the files that the process environment does not set, and warnings."""

    values: Mapping[str, str]
    warnings: tuple[str, ...] = ()


def load_default(folder: str, base: Mapping[str, str]) -> LoadedVariables:
    """Read the default files of `folder`; `base` is the process environment. Missing files are fine."""
    mode = dependencies.read_variable(base, "NODE_ENV")
    suffix = mode if mode in ("production", "test") else "development"
    names = [".env", f".env.{suffix}", ".env.local", f".env.{suffix}.local"]
    if suffix == "test":
        names.remove(".env.local")
    values: dict[str, str] = {}
    refused: list[str] = []
    for name in names:
        data = _read(os.path.join(folder, name), only_regular=True)
        if data is None:
            continue
        dependencies.prevent_caching()  # the result depends on the environment, too
        for key, value in parse(data).items():
            if key in _RESERVED or key.startswith(_RESERVED_PREFIXES):
                refused.append(f"{key} ({name})")
            else:
                values[key] = value
    warnings = (_refusal(refused),) if refused else ()
    return LoadedVariables(expand(values, base), warnings)


def load_named(paths: Sequence[str], folder: str, base: Mapping[str, str]) -> LoadedVariables:
    """Read the files of `--env-file`, the later over the earlier; `a,b` names two unless a file has that name."""
    values: dict[str, str] = {}
    warnings: list[str] = []
    for path in paths:
        whole = os.path.join(folder, path)
        parts = [path] if "," not in path or os.path.exists(depend_on(whole)) else path.split(",")
        for part in filter(None, parts):  # none, and no default file either: `--env-file=`
            try:
                data = _read(os.path.join(folder, part), only_regular=False)
            except OSError as error:
                warnings.append(f'--env-file "{part}" was not read: {error.strerror}')
                continue
            if data is None:
                warnings.append(f'--env-file "{part}" was not found')
            else:
                values |= parse(data)
    return LoadedVariables(expand(values, base), tuple(warnings))


def apply_time_zone(values: Mapping[str, str]) -> None:
    """Set the time zone of this process to the one that an env file names, unless the environment names one."""
    if "TZ" in values and "TZ" not in os.environ:
        dependencies.prevent_caching()  # a cached start would not set it
        os.environ["TZ"] = values["TZ"]


def load_as_node(paths: Sequence[str], optional: Sequence[str], folder: str) -> LoadedVariables:
    """Read the files of `--env-file` as Node does: its form applies, values are not expanded, and a missing file
    ends the program.

    `optional` are those of the paths that may be missing. Raises Failed.
    """
    values: dict[str, str] = {}
    warnings: list[str] = []
    for path in paths:
        try:
            data = _read(os.path.join(folder, path), only_regular=False)
        except OSError:
            data = None
        if data is not None:
            values |= parse(data, as_node=True)
        elif path in optional:
            warnings.append(f"{path} not found. Continuing without it.")
        else:
            raise Failed("invalid-flag-value", f"{path}: not found", 9)
    return LoadedVariables(values, tuple(warnings))


def parse(text: str, *, as_node: bool = False) -> dict[str, str]:
    """Return the assignments of `text`, unexpanded; other lines are ignored."""
    from .. import _native

    return dict(_native.parse_env(text, as_node=as_node))


def expand(values: Mapping[str, str], base: Mapping[str, str]) -> dict[str, str]:
    """Replace `$NAME`, `${NAME}` and `${NAME:-default}` in `values`; names in `base` win and are left out.

    A reference to an unset name expands to nothing; a circular one stays unchanged.
    """
    if not any("$" in value for value in values.values()):
        return {name: value for name, value in values.items() if name not in base}
    expansion = _Expansion(values, base)
    try:
        return {name: expansion.value_of(name) or "" for name in values if name not in base}
    except RecursionError:
        raise Failed("env-file-too-deep", "an env file nests ${...} too deeply") from None


class _Expansion:
    def __init__(self, values: Mapping[str, str], base: Mapping[str, str]) -> None:
        self._values = values
        self._base = base
        self._done: dict[str, str] = {}
        self._open: list[str] = []

    def value_of(self, name: str) -> str | None:
        """Return the expanded value of `name`; None if it is unset."""
        if name in self._base:
            return self._base[name]
        if name not in self._values or name in self._done:
            return self._done.get(name)
        if len(self._open) > 100:
            raise Failed("env-file-too-deep", f'"{name}" in an env file refers to too many others one through another')
        self._open.append(name)
        self._done[name] = self.text(self._values[name])
        self._open.pop()
        return self._done[name]

    def text(self, text: str) -> str:
        return self._part(text, 0, len(text), _closing_braces(text))

    def _part(self, text: str, at: int, end: int, closings: Mapping[int, int]) -> str:
        pieces: list[str] = []
        size = 0
        start = at
        while at < end:
            dollar = text.find("$", at, end)
            if dollar < 0:
                pieces.append(text[at:end])
                break
            if dollar > start and dollar > at and text[dollar - 1] == "\\":
                pieces.append(text[at : dollar - 1] + "$")
                at = dollar + 1
                continue
            pieces.append(text[at:dollar])
            replacement, at = self._reference(text, dollar, end, closings)
            pieces.append(replacement)
            size += len(replacement)
            if size > MAX_BYTES:
                raise Failed("env-file-too-large", f'"{self._open[-1]}" in an env file grows without end')
        return "".join(pieces)

    def _reference(self, text: str, dollar: int, end: int, closings: Mapping[int, int]) -> tuple[str, int]:
        """Return the expansion of the `$` at `dollar`, and where the text continues; the `$` itself if it names nothing."""
        at = dollar + 1
        braced = text.startswith("{", at, end)
        start = at = at + braced
        while at < end and text[at] in _NAME_CHARACTERS:
            at += 1
        name = text[start:at]
        default: tuple[int, int] | None = None
        if braced:
            if text.startswith(":-", at, end):
                closing = closings.get(dollar, -1)
                default = (at + 2, closing)
                at = closing
            if at < 0 or not text.startswith("}", at, end):
                return "$", dollar + 1
            at += 1
        elif not name:
            return "$", dollar + 1
        if name in self._open and name not in self._base:
            return text[dollar:at], at
        value = self.value_of(name)
        if value is None:
            return ("" if default is None else self._part(text, *default, closings)), at
        return value, at


def _closing_braces(text: str) -> dict[int, int]:
    """Return the position of the closing brace of each `${` that has one. Raises Failed if they nest too deeply."""
    closings: dict[int, int] = {}
    if "${" not in text:
        return closings
    import re

    open_ones: list[int] = []
    heights = [0]  # of what is closed inside each that is open, and outside of all
    for found in re.finditer(r"\$\{|\}", text):
        if found[0] != "}":
            open_ones.append(found.start())
            heights.append(0)
        elif open_ones:
            closings[open_ones.pop()] = found.start()
            height = heights.pop() + 1
            heights[-1] = max(heights[-1], height)
            if height > MOST_NESTED:
                raise Failed("env-file-too-deep", "an env file nests ${...} too deeply")
    return closings


def _read(path: str, *, only_regular: bool) -> str | None:
    """Return the text of `path`, None if there is no such file; a pipe is read only if a flag names it."""
    flags = os.O_RDONLY | os.O_CLOEXEC | (os.O_NONBLOCK if only_regular else 0)
    try:
        descriptor = os.open(depend_on(path), flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        if only_regular:
            return None
        raise
    try:
        mode = os.fstat(descriptor).st_mode
        if only_regular and mode & 0o170000 != 0o100000:
            return None
        blocks: list[bytes] = []
        size = 0
        while block := os.read(descriptor, 1 << 16):
            blocks.append(block)
            size += len(block)
            if size > MAX_BYTES:
                raise Failed("env-file-too-large", f'"{path}" is too large for an env file')
    finally:
        os.close(descriptor)
    return b"".join(blocks).decode("utf-8", "replace").replace("\0", "")


def _refusal(refused: Sequence[str]) -> str:
    verb = "was" if len(refused) == 1 else "were"
    return f"{', '.join(refused)} {verb} not loaded: a default env file cannot set this; use the shell or --env-file"
