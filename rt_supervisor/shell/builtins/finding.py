"""find, with the common tests and actions; any other expression is left to the system's find."""

from __future__ import annotations

import os
import stat
import time

from ..problems import ShellProblem
from ..state import encoded
from .calls import NotCovered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .calls import Call

_TYPES = {
    "f": stat.S_ISREG,
    "d": stat.S_ISDIR,
    "l": stat.S_ISLNK,
    "p": stat.S_ISFIFO,
    "s": stat.S_ISSOCK,
    "b": stat.S_ISBLK,
    "c": stat.S_ISCHR,
}
_SIZES = {"c": 1, "w": 2, "b": 512, "k": 1024, "M": 1 << 20, "G": 1 << 30}
_DEEPEST = 200


def find_files(call: Call) -> int:
    arguments = list(call.arguments)
    follows = False
    while arguments and arguments[0] in ("-H", "-L", "-P"):
        follows = arguments.pop(0) == "-L"
    starts: list[str] = []
    while arguments and arguments[0][:1] not in ("-", "(", "!") and arguments[0] != "":
        starts.append(arguments.pop(0))
    expression = _Expression(call, arguments)
    test = expression.parse()
    walk = _Walk(call, expression, test, follows=follows)
    for start in starts or ["."]:
        walk.run(start)
    expression.finish()
    return 1 if walk.failed or expression.failed else 0


class _Entry:
    """One file of the walk; its properties are determined when they are needed."""

    __slots__ = ("depth", "found", "name", "path", "pruned")

    def __init__(self, path: str, name: str, found: os.stat_result, depth: int) -> None:
        self.path = path
        self.name = name
        self.found = found
        self.depth = depth
        self.pruned = False


class _Walk:
    def __init__(self, call: Call, expression: _Expression, test: Callable[[_Entry], bool], *, follows: bool) -> None:
        self._call = call
        self._expression = expression
        self._test = test
        self._follows = follows
        self.failed = False

    def run(self, start: str) -> None:
        """Walk depth first without recursion; with `-depth`, a folder follows its contents."""
        late = self._expression.depth_first
        waiting: list[tuple[str, int, _Entry | None]] = [(start, 0, None)]
        seen: set[tuple[int, int]] = set()
        while waiting:
            path, depth, ready = waiting.pop()
            if ready is not None:
                self._visit(ready)
                continue
            entry = self._entry(path, depth)
            if entry is None:
                continue
            is_folder = stat.S_ISDIR(entry.found.st_mode)
            if not late or not is_folder:
                self._visit(entry)
            if not is_folder or entry.pruned or depth >= self._expression.most_depth:
                if late and is_folder:
                    self._visit(entry)
                continue
            identity = (entry.found.st_dev, entry.found.st_ino)
            if self._follows and identity in seen:
                continue
            seen.add(identity) if self._follows else None
            if late:
                waiting.append((path, depth, entry))
            try:
                names = sorted(os.listdir(self._call.path(path)), reverse=True)
            except OSError as error:
                self._call.report_os_error(path, error)
                self.failed = True
                continue
            base = path if path.endswith("/") else path + "/"
            waiting += [(base + name, depth + 1, None) for name in names]

    def _entry(self, path: str, depth: int) -> _Entry | None:
        try:
            full = self._call.path(path) if path else ""
            try:
                found = os.stat(full) if self._follows else os.lstat(full)
            except FileNotFoundError:
                found = os.lstat(full)
        except (OSError, ValueError) as error:
            self._call.report_os_error(path, error)
            self.failed = True
            return None
        return _Entry(path, path.rstrip("/").rpartition("/")[2] or path, found, depth)

    def _visit(self, entry: _Entry) -> None:
        if entry.depth < self._expression.least_depth:
            return
        if self._test(entry) and not self._expression.has_action:
            self._call.out.text(entry.path + "\n")


class _Expression:
    """Tests joined by `-a` (which may be omitted), `-o`, `!` and parentheses."""

    def __init__(self, call: Call, words: list[str]) -> None:
        self._call = call
        self._words = words
        self._at = 0
        self._depth = 0
        self.has_action = False
        self.depth_first = False
        self.most_depth = 1 << 30
        self.least_depth = 0
        self.failed = False
        self._collected: list[tuple[list[str], list[str]]] = []

    def parse(self) -> Callable[[_Entry], bool]:
        if not self._words:
            return lambda entry: True
        test = self._either()
        if self._at < len(self._words):
            raise NotCovered(f"{self._words[self._at]}: unknown primary or operator")
        return test

    def _take(self) -> str:
        if self._at >= len(self._words):
            raise NotCovered(f"{self._words[-1]}: requires additional arguments")
        self._at += 1
        return self._words[self._at - 1]

    def _peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _either(self) -> Callable[[_Entry], bool]:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NotCovered("expression nested too deep")
        tests = [self._both()]
        while self._peek() in ("-o", "-or"):
            self._at += 1
            tests.append(self._both())
        self._depth -= 1
        return tests[0] if len(tests) == 1 else lambda entry: any(test(entry) for test in tests)

    def _both(self) -> Callable[[_Entry], bool]:
        tests = [self._not()]
        while self._peek() not in ("", "-o", "-or", ")"):
            if self._peek() in ("-a", "-and"):
                self._at += 1
            tests.append(self._not())
        return tests[0] if len(tests) == 1 else lambda entry: all(test(entry) for test in tests)

    def _not(self) -> Callable[[_Entry], bool]:
        negated = False
        while self._peek() in ("!", "-not"):
            self._at += 1
            negated = not negated
        test = self._primary()
        return (lambda entry: not test(entry)) if negated else test

    def _primary(self) -> Callable[[_Entry], bool]:
        word = self._take()
        if word == "(":
            test = self._either()
            if self._take() != ")":
                raise NotCovered("expected ')'")
            return test
        name = _NAMES.get(word)
        if name is None:
            raise NotCovered(f"{word}: unknown primary or operator")
        made: Callable[[_Entry], bool] = getattr(self, name)(word)
        return made

    def _true(self, word: str) -> Callable[[_Entry], bool]:
        return lambda entry: word != "-false"

    def _depth_option(self, word: str) -> Callable[[_Entry], bool]:
        self.depth_first = True
        return lambda entry: True

    def _max_depth(self, word: str) -> Callable[[_Entry], bool]:
        value = self._take()
        if not value.isdecimal():
            raise NotCovered(f"{word}: {value}: illegal value")
        if word == "-maxdepth":
            self.most_depth = int(value)
        else:
            self.least_depth = int(value)
        return lambda entry: True

    def _name(self, word: str) -> Callable[[_Entry], bool]:
        from ..patterns import Pattern

        text = self._take()
        ignores_case = word in ("-iname", "-ipath")
        pattern = Pattern([(text.lower() if ignores_case else text, False)])
        by_path = word in ("-path", "-ipath", "-wholename")

        def test(entry: _Entry) -> bool:
            value = entry.path if by_path else entry.name
            return pattern.matches(value.lower() if ignores_case else value)

        return test

    def _type(self, word: str) -> Callable[[_Entry], bool]:
        letters = self._take().split(",")
        if not all(letter in _TYPES for letter in letters):
            raise NotCovered(f"-type: {','.join(letters)}: unknown type")
        return lambda entry: any(_TYPES[letter](entry.found.st_mode) for letter in letters)

    def _empty(self, word: str) -> Callable[[_Entry], bool]:
        def test(entry: _Entry) -> bool:
            if stat.S_ISREG(entry.found.st_mode):
                return entry.found.st_size == 0
            try:
                return stat.S_ISDIR(entry.found.st_mode) and not os.listdir(self._call.path(entry.path))
            except OSError:
                return False

        return test

    def _size(self, word: str) -> Callable[[_Entry], bool]:
        text = self._take()
        unit = _SIZES.get(text[-1:], 0)
        compare = _comparison(text[:-1] if unit else text, word)
        unit = unit or 512
        return lambda entry: compare(-(-entry.found.st_size // unit))

    def _time(self, word: str) -> Callable[[_Entry], bool]:
        compare = _comparison(self._take(), word)
        unit = 60 if word.endswith("min") else 86400
        field = {"m": "st_mtime", "a": "st_atime", "c": "st_ctime"}[word[1]]
        now = time.time()
        return lambda entry: compare(int((now - getattr(entry.found, field)) // unit))

    def _newer(self, word: str) -> Callable[[_Entry], bool]:
        name = self._take()
        try:
            reference = os.stat(self._call.path(name)).st_mtime_ns
        except (OSError, ValueError):
            raise ShellProblem(f"find: {name}: {os.strerror(2)}") from None
        return lambda entry: entry.found.st_mtime_ns > reference

    def _perm(self, word: str) -> Callable[[_Entry], bool]:
        text = self._take()
        digits = text.lstrip("-/")
        if not digits.isdecimal():
            raise NotCovered("modes in letters are left to the system's find")
        bits = int(digits, 8)
        if text.startswith("-"):
            return lambda entry: entry.found.st_mode & bits == bits
        if text.startswith("/"):
            return lambda entry: bool(entry.found.st_mode & bits)
        return lambda entry: stat.S_IMODE(entry.found.st_mode) == bits

    def _prune(self, word: str) -> Callable[[_Entry], bool]:
        def prune(entry: _Entry) -> bool:
            entry.pruned = True
            return True

        return prune

    def _print(self, word: str) -> Callable[[_Entry], bool]:
        self.has_action = True
        end = b"\0" if word == "-print0" else b"\n"

        def show(entry: _Entry) -> bool:
            self._call.out.write(encoded(entry.path) + end)
            return True

        return show

    def _delete(self, word: str) -> Callable[[_Entry], bool]:
        from .removing import protected_folders, refuses

        self.has_action = self.depth_first = True
        protected = protected_folders(self._call)

        def delete(entry: _Entry) -> bool:
            if entry.name == "." or refuses(self._call, entry.path, protected):
                return entry.name == "."
            try:
                path = self._call.path(entry.path)
                os.rmdir(path) if stat.S_ISDIR(entry.found.st_mode) else os.unlink(path)
            except OSError as error:
                self._call.report_os_error(entry.path, error)
                self.failed = True
                return False
            return True

        return delete

    def _exec(self, word: str) -> Callable[[_Entry], bool]:
        self.has_action = True
        words: list[str] = []
        while True:
            each = self._take()
            if each == ";":
                break
            if each == "+" and words[-1:] == ["{}"]:
                collected: list[str] = []
                self._collected.append((words[:-1], collected))
                return _collecting(collected)
            words.append(each)
        return lambda entry: self._run([each.replace("{}", entry.path) for each in words]) == 0

    def _run(self, words: list[str]) -> int:
        self._call.out.flush()
        try:
            return self._call.shell.subshell().run_builtin_named(words, self._call.io)
        except ShellProblem as problem:
            self._call.complain(problem.message)
            return problem.status

    def finish(self) -> None:
        for words, paths in self._collected:
            for start in range(0, len(paths), 1000):
                if self._run([*words, *paths[start : start + 1000]]) != 0:
                    self.failed = True


def _collecting(paths: list[str]) -> Callable[[_Entry], bool]:
    def collect(entry: _Entry) -> bool:
        paths.append(entry.path)
        return True

    return collect


def _comparison(text: str, word: str) -> Callable[[int], bool]:
    digits = text.lstrip("+-")
    if not digits.isdecimal():
        raise NotCovered(f"{word}: {text}: illegal value")
    number = int(digits)
    if text.startswith("+"):
        return lambda value: value > number
    if text.startswith("-"):
        return lambda value: value < number
    return lambda value: value == number


_NAMES = {
    **dict.fromkeys(("-name", "-iname", "-path", "-ipath", "-wholename"), "_name"),
    **dict.fromkeys(("-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin"), "_time"),
    **dict.fromkeys(("-maxdepth", "-mindepth"), "_max_depth"),
    **dict.fromkeys(("-print", "-print0"), "_print"),
    **dict.fromkeys(("-true", "-false"), "_true"),
    "-type": "_type",
    "-empty": "_empty",
    "-size": "_size",
    "-newer": "_newer",
    "-perm": "_perm",
    "-prune": "_prune",
    "-delete": "_delete",
    "-exec": "_exec",
    "-depth": "_depth_option",
}
