"""What `js/node/sqlite` asks of the host: databases under a number, on the SQLite that the interpreter has.

Answers are [value, null, null] or [null, message, result code]. Values come as SQLite has them: null, numbers, text, bytes; integers as
text, with their columns named, where they are wanted as BigInt. Statements are texts; SQLite's own cache keeps them prepared.
"""

from __future__ import annotations

import re
import sqlite3

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ..host import Host

BINDINGS_WANTED = re.compile(r"uses (\d+)")


class _Names(dict[str, None]):
    """Parameters of a statement that is only looked at: keeps the names that are asked for."""

    def __missing__(self, name: str) -> None:
        self[name] = None


def operations(host: Host) -> dict[str, Any]:
    databases: dict[int, sqlite3.Connection] = {}
    last = 0

    def open_database(path: str, is_read_only: bool, timeout_ms: float, foreign_keys: bool) -> list[Any]:
        def work() -> int:
            nonlocal last
            where, is_uri = (f"file:{path.replace('?', '%3f')}?mode=ro", True) if is_read_only else (path, False)
            connection = sqlite3.connect(
                where, timeout=timeout_ms / 1000, isolation_level=None, check_same_thread=False, uri=is_uri
            )
            connection.execute(f"PRAGMA foreign_keys = {int(foreign_keys)}")
            last += 1
            databases[last] = connection
            return last

        return _outcome(work)

    def execute(number: int, text: str) -> list[Any]:
        def work() -> None:
            for statement in statements(text):
                databases[number].execute(statement).fetchall()

        return _outcome(work)

    def look(number: int, text: str) -> list[Any]:
        """What a statement takes: [how many parameters, the names of those that have one]."""
        return _outcome(lambda: _parameters(databases[number], text))

    def run(number: int, text: str, parameters: Any, wants_big: bool) -> list[Any]:
        """[rows, columns, changes, last row id, columns that hold integers as text, by row]."""

        def work() -> list[Any]:
            connection = databases[number]
            cursor = connection.execute(text, _bound(parameters))
            rows = cursor.fetchall()
            columns = [column[0] for column in cursor.description or ()]
            changes, row = connection.execute("SELECT changes(), last_insert_rowid()").fetchone()
            whole = (
                [[i for i, value in enumerate(each) if isinstance(value, int)] for each in rows] if wants_big else []
            )
            plain = [[_plain(value, wants_big) for value in each] for each in rows]
            return [plain, columns, changes, row, whole]

        return _outcome(work)

    def function(number: int, name: str, count: int, is_deterministic: bool, callback: Any) -> list[Any]:
        def call(*values: Any) -> Any:
            return _from_js(callback(*[_plain(value, False) for value in values]))

        return _outcome(lambda: databases[number].create_function(name, count, call, deterministic=is_deterministic))

    return {
        "open": open_database,
        "close": lambda number: databases.pop(number).close(),
        "execute": (execute, "vs"),
        "look": (look, "vs"),
        "run": (run, "vscv"),
        "function": function,
        "isInTransaction": lambda number: databases[number].in_transaction,
        "serialize": lambda number: _outcome(lambda: databases[number].serialize()),
        "version": lambda: sqlite3.sqlite_version,
    }


def statements(text: str) -> Iterator[str]:
    """Split a script where statements end, as SQLite itself sees it."""
    start = 0
    for end in (place + 1 for place, letter in enumerate(text) if letter == ";"):
        if sqlite3.complete_statement(text[start:end]):
            yield text[start:end]
            start = end
    if text[start:].strip():
        yield text[start:]


def _parameters(connection: sqlite3.Connection, text: str) -> list[Any]:
    names = _Names()
    try:
        connection.execute(f"EXPLAIN {text}", names)
        return [len(names), list(names)]
    except sqlite3.ProgrammingError as error:
        if "has no name" not in str(error):
            raise
    try:
        connection.execute(f"EXPLAIN {text}", ())
    except sqlite3.ProgrammingError as error:
        wanted = BINDINGS_WANTED.search(str(error))
        if wanted is None:
            raise
        return [int(wanted[1]), []]
    return [0, []]


def _bound(parameters: Any) -> Any:
    """Parameters as [kind, value] pairs, by place or by name."""
    if isinstance(parameters, dict):
        return {name: _value(pair) for name, pair in parameters.items()}
    return [_value(pair) for pair in parameters]


def _value(pair: list[Any]) -> Any:
    kind, value = pair
    match kind:
        case "null":
            return None
        case "number":
            return float(value)
        case "bigint":
            return int(value)
    return value


def _plain(value: Any, wants_big: bool) -> Any:
    if value is None:
        return _native.null
    return str(value) if wants_big and isinstance(value, int) else value


def _from_js(value: Any) -> Any:
    return None if value is _native.null else bytes(value) if hasattr(value, "read") else value


def _outcome(work: Callable[[], Any]) -> list[Any]:
    try:
        return [work(), _native.null, _native.null]
    except sqlite3.Error as error:
        return [_native.null, str(error), getattr(error, "sqlite_errorcode", 1)]
