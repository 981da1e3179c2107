"""Answers kept for the launcher (`native/launcher`): what was decided for a command line, with everything that decided it.

The launcher asks by the bytes of a question and says where its answer is to be kept; `native/wire/src/answer.rs` reads
what is written here, and believes it only while every path and variable is what it was. An answer is kept only if nothing
was said or done on the way to it, and if nothing that decided it changed so lately that it might change again unseen.
"""

from __future__ import annotations

import os
import sys

from .. import _native
from .decision import data, encode, listed, number, text
from .dependencies import CLOCK_TICK_NS, evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .decision import Decision

FORMAT = 5  # of native/wire/src/answer.rs
_ONE, _SEVERAL, _PROGRAM = 1, 2, 3
MOST_ENTRIES = 200
LARGEST_BYTES = 8 << 20  # of native/launcher/src/main.rs
_ANY_TIME_NS = (1 << 63) - 1
_CHECKSUM_BYTES = 8
_NOTE_BYTES = 8  # where a program's life notes that it needs Python (native/src/program/kept.rs)


def answer(decision: Decision, changed: Callable[[Decision], Decision | None] | None = None) -> bytes | None:
    """Return what is to be kept, as things are now; None where nobody asks, or nothing can be kept.

    `changed` makes of the decision what the launcher can carry out (None: it cannot).
    """
    if evidence.question is None or not evidence.is_whole:
        return None
    if changed is not None:
        for_launcher = changed(decision)
        if for_launcher is None:
            return None
        decision = for_launcher
    return _answer(_ONE, encode(decision))


def answer_of_several(plan: bytes) -> bytes | None:
    """Return what is to be kept of a run of several scripts (`run_record.encode`), as `answer`."""
    return _answer(_SEVERAL, plan)


def answer_of_program(program: bytes, *, question: bytes, file: str) -> bytes | None:
    """Return what is to be kept of a program (`native/wire/src/program.rs`), as `answer`; the launcher asks `question`, looks
    up `file` anew, and knows rt by its image."""
    return _answer(_PROGRAM, program, question=question, own_files=(), but=file)


def _answer(
    kind: int,
    decided: bytes,
    *,
    question: bytes | None = None,
    own_files: Iterable[str] | None = None,
    but: str | None = None,
) -> bytes | None:
    if evidence.question is None or not evidence.is_whole:
        return None
    made = dict.fromkeys(evidence.made_paths())
    own_files = _own_files() if own_files is None else own_files
    looked_at = [*evidence.paths(but=but), *(os.fsencode(path) for path in own_files if path not in made)]
    identities = _native.identify_evidence(looked_at, evidence.question.at_ns - CLOCK_TICK_NS)
    fresh = _native.identify_evidence([os.fsencode(path) for path in made], _ANY_TIME_NS)
    if identities is None or fresh is None:
        return None
    variables = (
        text(name) + listed([] if value is None else [text(value)]) for name, value in evidence.variables().items()
    )
    rest = b"".join(
        (
            number(FORMAT),
            data(question or evidence.question.words),
            listed(map(data, _native.evident_variables())),
            listed(variables),
            data(identities + fresh),
            number(kind),
            data(decided),
        )
    )
    if len(rest) + _CHECKSUM_BYTES + _NOTE_BYTES >= LARGEST_BYTES:
        return None
    return _native.checksum(rest).to_bytes(_CHECKSUM_BYTES, "little") + rest + bytes(_NOTE_BYTES)


def keep(kept: bytes, question: bytes | None = None) -> None:
    """Keep what `answer` returned, for another `question` than the launcher's where one is given; silent where that cannot be."""
    if evidence.question is None:
        return
    place = evidence.question.place
    if question is not None:
        place = os.path.join(os.path.dirname(place), f"{_native.checksum(question):016x}")
    from .cache_folder import evict

    folder = os.path.dirname(place)
    try:
        if _native.cache_flaw(folder) is None:
            _native.cache_put(place, kept, is_durable=False)
            evict(folder, keep=place, most=MOST_ENTRIES)
    except OSError:
        return


def _own_files() -> list[str]:
    """What rt itself is made of: interpreter, the places that modules come from, and those of its modules that decided."""
    package = __name__.partition(".")[0]
    modules = (getattr(module, "__file__", None) for name, module in sys.modules.items() if name.startswith(package))
    home = os.path.dirname(os.path.dirname(sys.executable))
    places = [sys.executable, os.path.join(home, "pyvenv.cfg"), *(entry for entry in sys.path if entry)]
    return [*places, sys.argv[0], *(path for path in modules if path)]
