"""Parses argv into an `Invocation`: the command, the names to run, the arguments of the script, and the flags of rt.

Flags of rt precede `run`, the name, or a file or script without `run`. The first word that is not a flag ends them, and
everything after it is passed to the script unchanged. Parsing reads nothing from disk; `settings.target` resolves names.
"""

from __future__ import annotations

import os

from ...vocabulary.errors import Failed
from ...vocabulary.record import record
from . import commands, flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from ...engine_worker.program.options import Tests

    Value: TypeAlias = bool | int | str | tuple[str, ...]

# Preloads run in this order of their spellings, whatever their order on the command line, as in the peer.
_RANKS = {"preload": 0, "require": 1, "import": 2}
RUN = "run"
EXEC = "exec"
VERSION = "version"
HELP = "help"
STDIN = "-"


@record
class Invocation:
    """A parsed command line.

    `command` is a name of `commands.COMMANDS` or `commands.ABSENT`, or `version`. That of `commands.OF_RUNS` is also in `names`, as
    what it names may be a script. `names` holds the names to run: none (list the scripts, or
    evaluate), one, or several with --parallel and --sequential. `arguments` are passed on to them, or are the words after
    another command.
    `options` maps flag names ("elide-lines") to the values given; defaults are not in it. `with_run` distinguishes
    `rt run x` from `rt x`; `runtime_arguments` are the words of argv that were flags, for process.execArgv.
    """

    command: str
    names: tuple[str, ...]
    arguments: tuple[str, ...]
    options: Mapping[str, Value]
    with_run: bool = False
    runtime_arguments: tuple[str, ...] = ()
    tests: Tests = {}  # noqa: RUF012 - never changed. Read by `test_flags`; with "test", `arguments` are the files
    permission: Mapping[str, object] = {}  # read by `permission_flags`

    def is_set(self, flag: str) -> bool:
        """Return whether the flag, boolean or with an optional value, was given and not negated."""
        return self.options.get(flag, False) is not False

    def text(self, flag: str) -> str | None:
        """Return the last value of the string `flag`, otherwise its default; "" for an omitted optional value."""
        value = self.options.get(flag, flags.BY_NAME[flag].default)
        return value if isinstance(value, str) else None

    def number(self, flag: str) -> int | None:
        """Return the last value of the number `flag`, otherwise its default."""
        value = self.options.get(flag, flags.BY_NAME[flag].default)
        return value if isinstance(value, int) else None

    def texts(self, flag: str) -> tuple[str, ...]:
        """Return all values of the repeatable `flag`, in order."""
        value = self.options.get(flag, ())
        return value if isinstance(value, tuple) else ()


def parse(argv: Sequence[str]) -> Invocation:
    """Parse `argv` (without the program's name). Raises `Failed` for unknown flags and bad values."""
    reader = _Reader(argv)
    name = reader.next_name()
    reader.read_interactive(name)
    if "test" in reader.tests:
        return _tests(name, reader)
    with_run = name == RUN and not reader.ended and not reader.evaluates()
    if with_run:
        name = reader.next_name()
    elif name == EXEC and not reader.ended and not reader.evaluates():
        return _exec(reader)
    elif not reader.ended and not reader.runs_scripts() and name in commands.OF_RUNS:
        return _run(name or "", name, reader, with_run=False)
    elif not reader.ended and not reader.runs_scripts() and (name in commands.NAMES or name in commands.ABSENT):
        return _built_in(name or "", reader)
    command = RUN
    if _asks_for_version(reader):
        command = VERSION
    elif "help" in reader.options or (name is None and not with_run and not reader.runs_scripts()):
        command = HELP
    return _run(command, name, reader, with_run)


def parse_as_node(argv: Sequence[str], *, refuses_unknown: bool = False) -> Invocation:
    """Parse `argv` of a call under the name `node` (--rt): names are files only, flags of node alone are ignored.

    With `refuses_unknown`, flags that Node does not know are refused (`node_refusals`).
    """
    reader = _Reader(argv, ignore_unknown=True, refuses_as_node=refuses_unknown)
    name = reader.next_name()
    reader.read_interactive(name, as_node=True)
    if name is None and os.isatty(0):
        reader.options["interactive"] = True
    if "test" in reader.tests:
        return _tests(name, reader)
    if name == "inspect" and not reader.evaluates():
        return _built_in(name, reader)
    command = VERSION if _asks_for_version(reader) else HELP if "help" in reader.options else RUN
    if not reader.evaluates():
        if not name:  # an empty word stands for standard input, as in Node
            name = None if "interactive" in reader.options and name is None else STDIN
        elif name != STDIN and not name.startswith(("/", "./", "../")) and "snapshot-blob" not in reader.options:
            name = f"./{name}"
    return _run(command, name, reader, with_run=True)


def without(argv: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return `argv` without the flags `names` of rt and their values; words for the script stay unchanged."""
    reader = _Reader(argv)
    name = reader.next_name()
    if name == RUN and not reader.ended and not reader.evaluates():
        reader.next_name()
    left_out = {at for start, end in reader.places(names) for at in range(start, end)}
    return tuple(word for at, word in enumerate(argv) if at not in left_out)


def _tests(name: str | None, reader: _Reader) -> Invocation:
    """Return the invocation of `--test`: all words after the flags are files or patterns of files."""
    command = VERSION if _asks_for_version(reader) else HELP if "help" in reader.options else RUN
    words = () if name is None else (name, *reader.rest())
    if reader.tests.get("test-isolation") != "none":
        reader.leave_out_imports()
    return Invocation(command, (), words, reader.options, False, reader.flag_words(), reader.tests, reader.permission)


def _run(command: str, name: str | None, reader: _Reader, with_run: bool) -> Invocation:
    """Return the invocation of `run`, given the first word that is not a flag."""
    options = reader.options
    names: tuple[str, ...] = () if not name else (name,)
    if options.get("tasks") and not reader.evaluates():
        return _run_of_tasks(command, names, reader)
    runtime_arguments = reader.flag_words()
    rest = reader.rest()
    if reader.evaluates():
        names, rest = (), () if name is None else (name, *rest)
    else:
        rest = rest[1:] if rest[:1] == ("--",) else rest
        if "parallel" in options or "sequential" in options:
            names, rest = names + rest, ()
    return Invocation(command, names, rest, options, with_run, runtime_arguments, reader.tests, reader.permission)


def _run_of_tasks(command: str, names: tuple[str, ...], reader: _Reader) -> Invocation:
    """Return the invocation of `run --tasks`: flags may also follow the names, and arguments of the tasks follow `--`."""
    rest: tuple[str, ...] = ()
    are_all_names = reader.ended
    while (word := reader.next_name()) is not None:
        if reader.ended and not are_all_names:
            rest = (word, *reader.rest())
        else:
            names += (word,)
    words = reader.flag_words()
    return Invocation(command, names, rest, reader.options, True, words, reader.tests, reader.permission)


def _built_in(name: str, reader: _Reader) -> Invocation:
    """Return the invocation of a command of rt: flags may also follow its name, unless its words are passed on."""
    words: list[str] = []
    if name in ("x", "completions", "shell", "inspect", "agent") or name in commands.ABSENT:
        words += reader.rest()
    else:
        while (word := reader.next_name()) is not None:
            words.append(word)
    command = name
    if _asks_for_version(reader):
        command = VERSION
    elif "help" in reader.options and name != HELP:
        command, words = HELP, [name]
    return Invocation(command, (), tuple(words), reader.options)


def _exec(reader: _Reader) -> Invocation:
    """Return the invocation of `exec`: flags, then the command and its arguments, which `--` may precede."""
    word = reader.next_name()
    if "help" in reader.options:
        return Invocation(HELP, (), (EXEC,), reader.options)
    names = () if word is None else (word,)
    return Invocation(EXEC, names, reader.rest(), reader.options, True, reader.flag_words())


def _asks_for_version(reader: _Reader) -> bool:
    return "version" in reader.options or "revision" in reader.options


class _Reader:
    """Reads argv once and collects flags; `next_name` stops at each word that is not a flag."""

    def __init__(self, argv: Sequence[str], *, ignore_unknown: bool = False, refuses_as_node: bool = False) -> None:
        self.options: dict[str, Value] = {}
        self.tests: Tests = {}
        self.permission: dict[str, object] = {}
        self.ended = False  # a `--` ended the flags
        self._argv = argv
        self._at = 0
        self._ignore_unknown = ignore_unknown
        self._refuses_as_node = refuses_as_node  # flags that Node does not know either
        self._words: list[str] = []
        self._places: list[tuple[str, int, int]] = []  # for each flag: its name, start and end in argv
        self._ranks: dict[str, list[int]] = {}  # for each value of a repeatable flag: the rank of its spelling

    def next_name(self) -> str | None:
        """Read flags up to the next word that is not a flag, and return that word."""
        while self._at < len(self._argv):
            word = self._argv[self._at]
            self._at += 1
            if self.ended or len(word) < 2 or word[0] != "-":
                return word
            if word == "--":
                self.ended = True
                continue
            start = self._at - 1
            if word[1] == "-":
                self._long(word)
            else:
                self._short(word)
            self._words += self._argv[start : self._at]
            name = word[2:].partition("=")[0]
            self._places.append((name, start, self._at))
        return None

    def rest(self) -> tuple[str, ...]:
        """Return all words that have not been read."""
        rest = tuple(self._argv[self._at :])
        self._at = len(self._argv)
        return rest

    def flag_words(self) -> tuple[str, ...]:
        return tuple(self._words)

    def places(self, names: Sequence[str]) -> list[tuple[int, int]]:
        """Return where in argv each flag of `names` that was read in its long form starts and ends."""
        return [(start, end) for name, start, end in self._places if name in names]

    def read_interactive(self, name: str | None, *, as_node: bool = False) -> None:
        """Read `-i` as Node's flag for a REPL if no file or script is named; with code to evaluate only under the name `node`."""
        is_repl = as_node if self.evaluates() else name is None
        if is_repl and self.options.get("install") == "fallback":
            del self.options["install"]
            self.options["interactive"] = True

    def evaluates(self) -> bool:
        return "eval" in self.options or "print" in self.options

    def runs_scripts(self) -> bool:
        """Return whether the flags so far require something to run, so that no word is a command of rt."""
        wanted = (
            *("eval", "print", "interactive", "parallel", "sequential", "filter", "workspaces", "tasks", "affected"),
            *("build-snapshot-config", "snapshot-blob"),
        )
        return not self.options.keys().isdisjoint(wanted)

    def _long(self, word: str) -> None:
        name, equals, value = word[2:].partition("=")
        flag = flags.BY_NAME.get(name)
        if flag is None and "_" in name:  # V8's spelling, which Node accepts for all flags
            flag = flags.BY_NAME.get(name.replace("_", "-"))
        if flag is None:
            self._unknown(word, f"--{name}")
            return
        spelling = f"--{name}"
        kind = flag.kind
        if kind == flags.ALIAS:
            target, sets, fixed = flag.means.partition("=")
            flag = flags.BY_NAME[target]
            kind = flag.kind
            if sets:
                if equals:
                    raise Failed("flag-takes-no-value", f"The argument '{spelling}' does not take a value.")
                self._set(flag, fixed)
                return
        if kind == flags.BOOLEAN or kind == flags.NEGATION:
            if equals:
                raise Failed("flag-takes-no-value", f"The argument '{spelling}' does not take a value.")
            self._set(flag, True)
        elif kind == flags.OPTIONAL:
            self._set(flag, value)
        else:
            if self._refuses_as_node and equals and not value:
                raise Failed("flag-needs-value", f"{spelling}= requires an argument")
            if name == "print" and not equals and self._ignore_unknown and self._is_eval_next():
                self._long("--print=" + self._code_after_print())
                return
            value = value if equals else self._value_of(spelling)
            if self._refuses_as_node and name == "env-file-if-exists":
                earlier = self.options.get(name, ())
                assert isinstance(earlier, tuple)
                self.options[name] = (*earlier, value)  # which of the files may be missing
            self._set(flag, _workspace_filter(value) if name == "workspace" else value, _RANKS.get(name, 0))

    def _short(self, word: str) -> None:
        """`-e code`, `-e=code`, `-ecode`, letters without values in a row such as `-bi`, and node's `-pe code`."""
        if word == "-pe":
            word = "-p"
        for at in range(1, len(word)):
            spelling = f"-{word[at]}"
            if self._selects(word, at):
                return
            flag = flags.BY_SHORT.get(word[at])
            if self._ignore_unknown and word[at] == "c":  # Node's letter for --check is rt's for --config
                flag = flags.BY_NAME["check"]
            if flag is None:
                self._unknown(word, spelling)
                return
            target, equals, value = flag.means.partition("=")
            if flag.kind == flags.ALIAS and equals:
                self._set(flags.BY_NAME[target], value)
            elif flag.kind == flags.BOOLEAN:
                if word[at + 1 : at + 2] == "=":
                    raise Failed("flag-takes-no-value", f"The argument '{spelling}' does not take a value.")
                self._set(flag, True)
            else:
                value = word[at + 1 :]
                if not value and flag.name == "print" and self._ignore_unknown and self._is_eval_next():
                    self._long("--print=" + self._code_after_print())
                    return
                self._set(flag, value.removeprefix("=") if value else self._value_of(spelling))
                return

    def _selects(self, word: str, at: int) -> bool:
        """Read a letter that selects packages: npm's `-w NAME SCRIPT`, pnpm's `-w SCRIPT` and `-r SCRIPT`; return whether it is one.

        `-r` is that of --preload if a file or script follows its value.
        """
        letter, rest = word[at], self._argv[self._at :]
        is_last = at == len(word) - 1
        if self._ignore_unknown or not is_last:
            return False
        words = [each for each in rest[: rest.index("--") if "--" in rest else None] if not each.startswith("-")]
        is_exec = EXEC in self._argv[: self._at]
        if letter == "w":
            has_more = len(words) > 1 or (is_exec and "--" in rest)
            if words and has_more and rest[0] == words[0] and RUN not in words[:2]:
                self._set(flags.BY_NAME["filter"], _workspace_filter(self._value_of("-w")))
            else:
                self._set(flags.BY_NAME["filter"], "//")
            return True
        is_run = self._at >= 2 and RUN in self._argv[: self._at]
        is_only = is_run and len(words) == 1 and _is_script(words[0])
        if letter == "r" and (is_only or is_exec or list(rest[:1]) == [RUN]):
            self._set(flags.BY_NAME["filter"], "*")
            return True
        return False

    def _is_eval_next(self) -> bool:
        return self._at < len(self._argv) and self._argv[self._at].partition("=")[0] in ("-e", "--eval")

    def _code_after_print(self) -> str:
        """Return the code of the flag --eval that follows --print, whose value Node leaves out then."""
        name, equals, code = self._argv[self._at].partition("=")
        self._at += 1
        return code if equals else self._value_of(name)

    def _value_of(self, spelling: str) -> str:
        if self._refuses_as_node and (self._at >= len(self._argv) or self._argv[self._at].startswith("-")):
            raise Failed("flag-needs-value", f"{spelling} requires an argument")
        if self._at >= len(self._argv):
            raise Failed("flag-needs-value", f"The argument '{spelling}' requires a value but none was supplied.")
        value = self._argv[self._at]
        self._at += 1
        # As in Node, a backslash marks a value that begins with a dash.
        return value[1:] if self._refuses_as_node and value.startswith("\\-") else value

    def leave_out_imports(self) -> None:
        """Forget the modules of `--import`: only the processes of test files evaluate them, as in Node."""
        modules = self.options.get("preload", ())
        assert isinstance(modules, tuple)
        own = [rank != _RANKS["import"] for rank in self._ranks.get("preload", ())]
        if not all(own):
            self.options["preload"] = tuple(module for module, is_own in zip(modules, own, strict=True) if is_own)

    def _set(self, flag: flags.Flag, value: str | bool, rank: int = 0) -> None:
        name = flag.name
        if isinstance(value, bool):
            negates = flag.kind == flags.NEGATION
            self.options[flag.means if negates else name] = value and not negates
            return
        from . import flag_values

        checked = flag_values.check(flag, value)
        if flag.repeats:
            earlier = self.options.get(name, ())
            assert isinstance(earlier, tuple)
            ranks = self._ranks.setdefault(name, [])
            at = len(ranks)
            while at > 0 and ranks[at - 1] > rank:
                at -= 1
            ranks.insert(at, rank)
            self.options[name] = (*earlier[:at], value, *earlier[at:])
        else:
            self.options[name] = checked

    def _unknown(self, word: str, spelling: str) -> None:
        from . import node_flags

        name, equals, value = word[2:].partition("=")
        if "test" in name:
            from . import test_flags

            meant = test_flags.find_flag(name)
            if meant is not None:
                needs_next = test_flags.takes_value(meant) and not equals
                test_flags.put(self.tests, meant, self._value_of(spelling) if needs_next else value)
                return
        if "permission" in name or "allow" in name:
            from . import permission_flags

            meant = permission_flags.find_flag(name)
            if meant is not None:
                needs_next = permission_flags.takes_value(meant) and not equals
                permission_flags.put(self.permission, meant, self._value_of(spelling) if needs_next else value)
                return
        if node_flags.takes_next_word(name) and not equals:
            self._value_of(spelling)
        if self._refuses_as_node:
            from . import node_refusals

            node_refusals.check_unknown(word, self._argv)
        if self._ignore_unknown or node_flags.is_harmless(name):
            return
        raise Failed("unknown-flag", f"Invalid Argument '{spelling}'{_suggestion(spelling)}")


def _is_script(word: str) -> bool:
    """Return whether a word is rather the name of a script than of a module to preload."""
    return not word.startswith((".", "/", "@")) and os.path.splitext(word)[1] == ""


def _workspace_filter(value: str) -> str:
    """Return the filter for npm's `--workspace`, which takes names and paths."""
    is_path = "/" in value and not value.startswith(("@", ".", "/", "{"))
    return f"./{value}" if is_path else value


def _suggestion(spelling: str) -> str:
    """Return a suggestion for a misspelled flag, and a note about flags of the script."""
    from difflib import get_close_matches  # takes 7 ms, so only imported for errors

    known = [f"--{name}" for name in flags.BY_NAME]
    close = get_close_matches(spelling, known, n=1, cutoff=0.7) if spelling.startswith("--") else []
    meant = f". Did you mean '{close[0]}'?" if close else ""
    return f"{meant}\nnote: flags of rt are listed by `rt run --help`; flags of a script go after its name"
