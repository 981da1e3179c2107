"""Cached starts: Python's decision for a question of the launcher, with the dependencies of the decision.

`encode_script`, `encode_scripts` and `encode_program` return a record for the three kinds of start, `store` writes it where
the launcher looks for it, and `native/wire/src/cached_start.rs` loads it: only while every recorded path and variable is
unchanged. A start is cached only if it had no effect before its decision, and if no dependency changed so recently that it
might change again without a new time stamp.
"""

from __future__ import annotations

import os
import sys

from .. import _native
from .decision import data, encode, listed, number, text
from .dependencies import CLOCK_TICK_NS, dependencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .decision import Decision

MOST_ENTRIES = 200
_ANY_TIME_NS = (1 << 63) - 1
_CHECKSUM_BYTES = 8


def encode_script(decision: Decision, adapt: Callable[[Decision], Decision | None] | None = None) -> bytes | None:
    """Return the record of a single script, with its dependencies as they are now; None if the start cannot be cached.

    `adapt` converts the decision to one that the launcher can execute, or returns None if that is not possible.
    """
    if not dependencies.is_recording:
        return None
    for_launcher = decision if adapt is None else adapt(decision)
    return None if for_launcher is None else _encode(_native.START_OF_SCRIPT, encode(for_launcher))


def encode_scripts(plan: bytes) -> bytes | None:
    """Return the record of a run of several scripts, whose plan is encoded (`run_record.encode`), as `encode_script` does."""
    return _encode(_native.START_OF_SCRIPTS, plan)


def encode_program(program: bytes, *, question: bytes, file: str) -> bytes | None:
    """Return the record of a program (`native/wire/src/program.rs`), as `encode_script` does.

    It is the record for `question`. The launcher itself resolves `file`, and compares rt's modules through their image.
    """
    return _encode(_native.START_OF_PROGRAM, program, question=question, own_files=(), without=file)


def _encode(
    kind: int,
    start: bytes,
    *,
    question: bytes | None = None,
    own_files: Iterable[str] | None = None,
    without: str | None = None,
) -> bytes | None:
    if dependencies.question is None or not dependencies.is_recording:
        return None
    created = dict.fromkeys(dependencies.created_paths())
    own_files = _own_files() if own_files is None else own_files
    paths = [*dependencies.paths(without=without), *(os.fsencode(path) for path in own_files if path not in created)]
    identities = _native.identify(paths, dependencies.question.at_ns - CLOCK_TICK_NS)
    new_identities = _native.identify([os.fsencode(path) for path in created], _ANY_TIME_NS)
    if identities is None or new_identities is None:
        return None
    variables = (
        text(name) + listed([] if value is None else [text(value)]) for name, value in dependencies.variables().items()
    )
    record = b"".join(
        (
            number(_native.START_FORMAT),
            data(question or dependencies.question.words),
            listed(map(data, _native.deciding_variables())),
            listed(variables),
            data(identities + new_identities),
            number(kind),
            data(start),
        )
    )
    note = bytes(_native.START_NOTE_BYTES)
    if len(record) + _CHECKSUM_BYTES + len(note) >= _native.LARGEST_START:
        return None
    return _native.checksum(record).to_bytes(_CHECKSUM_BYTES, "little") + record + note


def store(record: bytes, question: bytes | None = None) -> None:
    """Write a record for `question`, by default the launcher's own. Failures are ignored: the next start is only slower."""
    if dependencies.question is None:
        return
    place = dependencies.question.place
    if question is not None:
        place = os.path.join(os.path.dirname(place), f"{_native.checksum(question):016x}")
    from .cache_folder import evict

    folder = os.path.dirname(place)
    try:
        if _native.cache_flaw(folder) is None:
            _native.cache_put(place, record, is_durable=False)
            evict(folder, keep=place, most=MOST_ENTRIES)
    except OSError:
        return


def _own_files() -> list[str]:
    """Return the files of rt that the decision depends on: the interpreter, module search paths, and imported modules."""
    package = __name__.partition(".")[0]
    modules = (getattr(module, "__file__", None) for name, module in sys.modules.items() if name.startswith(package))
    home = os.path.dirname(os.path.dirname(sys.executable))
    places = [sys.executable, os.path.join(home, "pyvenv.cfg"), *(entry for entry in sys.path if entry)]
    return [*places, sys.argv[0], *(path for path in modules if path)]
