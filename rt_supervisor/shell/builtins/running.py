"""env and xargs: commands that run commands."""

from __future__ import annotations

import os

from ..problems import Exit, Jump, ShellProblem
from ..state import decoded, encoded
from .calls import NotCovered
from .printing import quote_for_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .calls import Call

_LONGEST_LINE = 120_000  # bytes of one command of xargs


def env(call: Call) -> int:
    """`env [-i] [-u name] [-C folder] [name=value …] [command …]`"""
    arguments = list(call.arguments)
    shell = call.shell.subshell()
    variables = shell.state.variables
    end = "\n"
    while arguments and arguments[0].startswith("-"):
        word = arguments.pop(0)
        if word == "--":
            break
        if word in ("-i", "-", "--ignore-environment"):
            for name in list(variables.exported()):
                variables.unset(name)
        elif word in ("-u", "--unset") and arguments:
            variables.unset(arguments.pop(0))
        elif word.startswith("--unset="):
            variables.unset(word.partition("=")[2])
        elif word in ("-0", "--null"):
            end = "\0"
        elif word in ("-C", "--chdir") and arguments:
            folder = arguments.pop(0)
            if not os.path.isdir(call.path(folder)):
                return call.fail(f"cannot change directory to '{folder}': {os.strerror(2)}", 125)
            shell.state.folder = os.path.normpath(call.path(folder))
        else:
            raise NotCovered(f"illegal option -- {word.lstrip('-')}", status=125)
    extra: dict[str, str] = {}
    while arguments and "=" in arguments[0] and not arguments[0].startswith("="):
        name, _, value = arguments.pop(0).partition("=")
        extra[name] = value
    for name, value in extra.items():
        variables.set(name, value)
        variables.export(name)
    if not arguments:
        for name, value in variables.exported().items():
            call.out.text(f"{name}={value}{end}")
        return 0
    return _run(call, shell, arguments)


def _run(call: Call, shell, words: list[str]) -> int:  # type: ignore[no-untyped-def]
    call.out.flush()
    try:
        return int(shell.run_builtin_named(words, call.io))
    except ShellProblem as problem:
        call.complain(f"{words[0]}: {os.strerror(2)}" if "not found" in problem.message else problem.message)
        return 127 if "not found" in problem.message else problem.status
    except Exit as jump:
        return jump.status


def xargs(call: Call) -> int:
    """`xargs [-0rtx] [-n N] [-I word] [-L N] [-d c] [-P N] [-a file] [-E word] [-s bytes] command …`"""
    wanted = _XargsOptions()
    problem = wanted.read(list(call.arguments))
    if problem:
        return call.fail(problem)
    try:
        text = decoded(b"".join(call.blocks(wanted.file)))
    except (OSError, ValueError) as error:
        return call.report_os_error(wanted.file, error)
    try:
        lines = wanted.commands(text)
    except ValueError as error:
        return call.fail(str(error))
    io = call.io.copy()
    null_input = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    io[0] = null_input if wanted.file == "-" else call.stdin
    try:
        runner = _Commands(call, io, traces=wanted.traces)
        call.out.flush()
        if wanted.at_once > 1 and len(lines) > 1:
            runner.run_at_once(lines, wanted.at_once)
        else:
            for line in lines:
                if not runner.run(line):
                    break
        return runner.status
    finally:
        os.close(null_input)


class _XargsOptions:
    """The options of xargs."""

    def __init__(self) -> None:
        self.file = "-"
        self.traces = False
        self.at_once = 1
        self._null = self._empty_runs_not = False
        self._most = self._per_line = 0
        self._longest = _LONGEST_LINE
        self._replaced = self._delimiter = self._end = ""
        self._command: list[str] = []

    def read(self, arguments: list[str]) -> str:
        """Parse the options; return what is wrong with them, or "". Raises NotCovered."""
        while arguments and arguments[0].startswith("-") and len(arguments[0]) > 1:
            word = arguments.pop(0)
            if word == "--":
                break
            name, equals, value = word.partition("=")
            if word.startswith("--"):
                letter = _XARGS_LONG.get(name[2:])
                if letter is None:
                    raise NotCovered(f"unrecognized option -- {name[2:]}")
                if letter in _XARGS_VALUED and not equals:
                    value = arguments.pop(0) if arguments else ""
                letters = [letter]
            else:
                at = next((n for n, letter in enumerate(word) if letter in _XARGS_VALUED), len(word))
                letters, value = list(word[1 : at + 1]), word[at + 1 :]
                if at < len(word) and not value:
                    value = arguments.pop(0) if arguments else ""
            for letter in letters:
                problem = self._take(letter, value)
                if problem:
                    return problem
        self._command = arguments or ["echo"]
        return ""

    def _take(self, letter: str, value: str) -> str:
        if letter in "nLPs":
            if not value.isdecimal() or (letter != "P" and int(value) == 0):
                return f"invalid number '{value}' for -{letter} option"
            number = int(value)
            if letter == "n":
                self._most, self._per_line = number, 0
            elif letter == "L":
                self._most, self._per_line = 0, number
            elif letter == "s":
                self._longest = number
            else:
                self.at_once = number or 256
        elif letter == "0":
            self._null = True
        elif letter == "r":
            self._empty_runs_not = True
        elif letter == "t":
            self.traces = True
        elif letter == "I":
            self._replaced = value or "{}"
        elif letter == "d":
            self._delimiter = value.encode().decode("unicode_escape") if value else ""
        elif letter == "a":
            self.file = value
        elif letter == "E":
            self._end = value
        elif letter != "x":
            raise NotCovered(f"illegal option -- {letter}")
        return ""

    def commands(self, text: str) -> list[list[str]]:
        """Return the commands for the items in `text`. Raises ValueError."""
        command = self._command
        by_line = bool(self._replaced) or bool(self._per_line)
        items = _items(text, null=self._null, delimiter=self._delimiter, by_line=by_line)
        if self._end and not self._null and not self._delimiter and self._end in items:
            items = items[: items.index(self._end)]
        if self._replaced:
            return [[word.replace(self._replaced, item) for word in command] for item in items]
        if not items:
            return [] if self._empty_runs_not else [command]
        if self._per_line:
            size = self._per_line
            chunks = [items[start : start + size] for start in range(0, len(items), size)]
            return [[*command, *(word for line in chunk for word in line.split())] for chunk in chunks]
        length = sum(len(word.encode("utf-8", "surrogateescape")) + 1 for word in command)
        return [[*command, *chunk] for chunk in _chunks(items, self._most, self._longest - length)]


_XARGS_VALUED = frozenset("nLPsIdaE")
_XARGS_LONG = {
    "null": "0",
    "no-run-if-empty": "r",
    "verbose": "t",
    "max-args": "n",
    "max-lines": "L",
    "max-procs": "P",
    "max-chars": "s",
    "replace": "I",
    "delimiter": "d",
    "arg-file": "a",
    "eof": "E",
    "exit": "x",
}


class _Commands:
    """Runs the commands of one `xargs`; `status` is its exit status."""

    def __init__(self, call: Call, io: dict[int, int], *, traces: bool) -> None:
        self._call = call
        self._io = io
        self._traces = traces
        self.status = 0
        self._stopped = False

    def run(self, line: list[str]) -> bool:
        """Run one command; return whether to run the next."""
        call = self._call
        if self._traces:
            os.write(call.io.get(2, -1), encoded(" ".join(map(quote_for_shell, line)) + "\n"))
        found = _run(type(call)(call.name, [], call.shell, self._io), call.shell.subshell(), line)
        if found == 255:
            call.complain(f"{line[0]}: exited with status 255; aborting")
            return self._stop(124)
        if found in (126, 127):
            return self._stop(found)
        if found > 128:
            return self._stop(125)
        if found and not self._stopped:
            self.status = 123
        return not self._stopped

    def _stop(self, status: int) -> bool:
        self.status = self.status if self._stopped else status
        self._stopped = True
        return False

    def run_at_once(self, lines: list[list[str]], most: int) -> None:
        """Run the commands, at most `most` at once (`-P`)."""
        import threading

        waiting = iter(lines)
        lock = threading.Lock()

        def work() -> None:
            while not self._stopped:
                with lock:
                    line = next(waiting, None)
                try:
                    if line is None or not self.run(line):
                        return
                except Jump:  # nothing reads its output any more
                    self._stop(125)

        threads = [threading.Thread(target=work) for _ in range(min(most, len(lines)) - 1)]
        for thread in threads:
            thread.start()
        try:
            work()
        finally:
            for thread in threads:
                thread.join()


def _chunks(items: list[str], most: int, longest: int) -> list[list[str]]:
    chunks: list[list[str]] = []
    size = 0
    for item in items:
        length = len(item.encode("utf-8", "surrogateescape")) + 1
        if not chunks or (most and len(chunks[-1]) >= most) or size + length > longest:
            chunks.append([])
            size = 0
        chunks[-1].append(item)
        size += length
    return chunks


def _items(text: str, *, null: bool, delimiter: str, by_line: bool) -> list[str]:
    """Split stdin into items: at blanks with quotes and backslashes, or only at one character. Raises ValueError."""
    if null or delimiter:
        pieces = text.split("\0" if null else delimiter)
        if pieces and pieces[-1] == "":
            pieces.pop()
        return pieces
    if by_line:
        return [line.lstrip(" \t") for line in text.split("\n") if line.strip(" \t")]
    items: list[str] = []
    current: list[str] | None = None
    at = 0
    while at < len(text):
        character = text[at]
        if character in " \t\n":
            if current is not None:
                items.append("".join(current))
            current = None
            at += 1
            continue
        current = [] if current is None else current
        if character in "'\"":
            end = text.find(character, at + 1)
            newline = text.find("\n", at)
            if end < 0 or 0 <= newline < end:
                kind = "single" if character == "'" else "double"
                raise ValueError(
                    f"unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"
                )
            current.append(text[at + 1 : end])
            at = end + 1
        elif character == "\\" and at + 1 < len(text):
            current.append(text[at + 1])
            at += 2
        else:
            end = at + 1
            while end < len(text) and text[end] not in " \t\n'\"\\":
                end += 1
            current.append(text[at:end])
            at = end
    if current is not None:
        items.append("".join(current))
    return items
