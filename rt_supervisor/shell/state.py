"""The state of a shell environment (POSIX 2.12): variables, functions, parameters, options, folder; a subshell has a
copy.

The folder is a value here, not that of the process: subshells and the stages of a pipeline run in threads of one
process.
"""

from __future__ import annotations

import os
import sys

from .problems import ShellProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .arrays import Array
    from .tree import Command

_DEFAULT_IFS = " \t\n"
OPTION_LETTERS = {
    "e": "errexit",
    "u": "nounset",
    "x": "xtrace",
    "f": "noglob",
    "C": "noclobber",
    "a": "allexport",
    "E": "errtrace",
}
OPTIONS = frozenset((*OPTION_LETTERS.values(), "pipefail", "verbose", "posix", "monitor", "braceexpand", "nullglob"))
SHOPT_OPTIONS = ("dotglob", "expand_aliases", "globstar", "nullglob")  # options of `shopt`; globstar is always on


class Variables:
    """Named values and arrays; each name has one or the other. `local` ones are restored when the function ends."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._values = dict(environment)
        self._exported = set(environment)
        self._readonly: set[str] = set()
        self._arrays: dict[str, Array] = {}  # replaced when they change, so that copies can share them
        self._scopes: list[dict[str, tuple[str | Array | None, bool]]] = []
        self._environment: list[bytes] | None = None
        self.exports_all = False

    def copy(self) -> Variables:
        other = Variables({})
        other._values = self._values.copy()
        other._exported = self._exported.copy()
        other._arrays = self._arrays.copy()
        other._readonly = self._readonly.copy()
        other._scopes = [scope.copy() for scope in self._scopes]
        other._environment = self._environment
        other.exports_all = self.exports_all
        return other

    def get(self, name: str) -> str | None:
        """Return the value of `name`; for an array, that of its first element."""
        value = self._values.get(name)
        if value is None and name in self._arrays:
            array = self._arrays[name]
            return array.elements.get(array.first)
        return value

    def set(self, name: str, value: str) -> None:
        """Set `name`; for an array, its first element. Raises ShellProblem if it is read-only."""
        if name in self._readonly:
            raise ShellProblem(f"{name}: readonly variable")
        if name in self._arrays:
            array = self._arrays[name] = self._arrays[name].copy()
            array.elements[array.first] = value
            return
        self._values[name] = value
        if self.exports_all:
            self._exported.add(name)
        if name in self._exported:
            self._environment = None

    def array(self, name: str) -> Array | None:
        """Return the array `name`, None for any other variable. It must not be changed: see `set_array`."""
        return self._arrays.get(name)

    def set_array(self, name: str, array: Array) -> None:
        """Make `name` an array. Raises ShellProblem if it is read-only."""
        if name in self._readonly:
            raise ShellProblem(f"{name}: readonly variable")
        self._values.pop(name, None)
        self._arrays[name] = array

    def unset(self, name: str) -> None:
        if name in self._readonly:
            raise ShellProblem(f"{name}: cannot unset: readonly variable")
        self._values.pop(name, None)
        self._arrays.pop(name, None)
        if name in self._exported:
            self._exported.discard(name)
            self._environment = None

    def export(self, name: str, *, exported: bool = True) -> None:
        (self._exported.add if exported else self._exported.discard)(name)
        self._environment = None

    def make_readonly(self, name: str) -> None:
        self._readonly.add(name)

    def names(self) -> list[str]:
        return sorted((*self._values, *self._arrays))

    def exported(self) -> dict[str, str]:
        return {name: self._values[name] for name in sorted(self._exported) if name in self._values}

    def readonly(self) -> list[str]:
        return sorted(self._readonly)

    def is_exported(self, name: str) -> bool:
        return name in self._exported

    @property
    def ifs(self) -> str:
        found = self._values.get("IFS")
        return _DEFAULT_IFS if found is None else found

    def environment(self, extra: Mapping[str, str] | None = None) -> list[bytes]:
        """Return `name=value` of exported variables, overridden by `extra`."""
        if extra:
            values = self.exported() | dict(extra)
            return [encoded(f"{name}={value}") for name, value in values.items()]
        if self._environment is None:
            self._environment = [encoded(f"{name}={value}") for name, value in self.exported().items()]
        return self._environment

    # --- scopes of functions

    def enter(self) -> None:
        self._scopes.append({})

    def leave(self) -> None:
        for name, (value, exported) in self._scopes.pop().items():
            self.restore(name, value, exported=exported)

    def make_local(self, name: str) -> bool:
        """Make `name` local to the current function; False outside of functions."""
        if not self._scopes:
            return False
        scope = self._scopes[-1]
        if name not in scope:
            scope[name] = (self.value(name), name in self._exported)
        return True

    def value(self, name: str) -> str | Array | None:
        """Return the value of `name` as `restore` takes it."""
        return self._arrays.get(name) or self._values.get(name)

    def restore(self, name: str, value: str | Array | None, *, exported: bool) -> None:
        self._values.pop(name, None)
        self._arrays.pop(name, None)
        if isinstance(value, str):
            self._values[name] = value
        elif value is not None:
            self._arrays[name] = value
        (self._exported.add if exported else self._exported.discard)(name)
        self._environment = None


class State:
    """Everything that a subshell copies."""

    def __init__(self, *, environment: Mapping[str, str], folder: str, name: str, arguments: Sequence[str]) -> None:
        self.variables = Variables({n: v for n, v in environment.items() if n})
        self.functions: dict[str, Command] = {}
        self.aliases: dict[str, str] = {}
        self.arguments = list(arguments)
        self.name = name
        self.folder = folder
        self.options: set[str] = set()
        self.status = 0
        self.line = 1  # of the running command
        self.traps: dict[str, str] = {}
        self.function_depth = 0
        self.function_name = ""
        self.loop_depth = 0
        self.substitution_status = 0
        self.last_argument = ""
        self.text_depth = 0  # nesting of `eval`
        self.pipe_statuses: list[int] = [0]  # of the stages of the last pipeline
        self.matched: list[str] = []  # by the last `=~`: the whole match, then its groups
        self.own_program: str | None = None  # the path of rt, used for its own names if PATH has no such program

    def copy(self) -> State:
        other = State(environment={}, folder=self.folder, name=self.name, arguments=self.arguments)
        other.variables = self.variables.copy()
        other.functions = self.functions.copy()
        other.aliases = self.aliases.copy()
        other.line = self.line
        other.options = self.options.copy()
        other.status = self.status
        other.function_depth = self.function_depth
        other.function_name = self.function_name
        other.loop_depth = self.loop_depth
        other.last_argument = self.last_argument
        other.text_depth = self.text_depth
        other.matched = self.matched
        other.pipe_statuses = self.pipe_statuses
        other.own_program = self.own_program
        return other

    def path(self, name: str) -> str:
        """Return `name` as a path that does not depend on the process's folder."""
        return name if name.startswith("/") else f"{self.folder}/{name}"


def encoded(text: str) -> bytes:
    """Encode `text`; surrogate escapes become the original bytes."""
    try:
        return text.encode(_ENCODING, "surrogateescape")
    except UnicodeEncodeError:
        return text.encode(_ENCODING, "replace")


def decoded(data: bytes) -> str:
    return data.decode(_ENCODING, "surrogateescape")


_ENCODING = sys.getfilesystemencoding()


def folder_to_begin_in(environment: Mapping[str, str]) -> str:
    """Return the working folder, as PWD spells it if PWD is correct (POSIX `pwd`)."""
    real = os.getcwd()
    named = environment.get("PWD", "")
    if named.startswith("/") and named != real:
        try:
            if os.path.samefile(named, real) and os.path.normpath(named) == named:
                return named
        except (OSError, ValueError):
            return real
    return real
