"""The interpreter was started inside a program that runs already (`native/src/program/adoption.rs`): give it Python's half."""

from __future__ import annotations

import _signal
import gc

from ...engine_worker.program.adopted import AdoptedProgram
from ...vocabulary.coerced_locale import forget_coerced_locale
from ..streams import print_failure
from .kept_program import taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ... import _native

_GARBAGE_THRESHOLD = 20_000  # as in `rt_supervisor.__main__`


def adopt(begun: _native.BegunProgram) -> AdoptedProgram:
    """Return Python's half of the program; what starting the interpreter has changed of the process is undone."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    forget_coerced_locale()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    return AdoptedProgram(taken(), begun, print_failure)
