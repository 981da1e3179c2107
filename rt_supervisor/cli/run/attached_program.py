"""Attach Python to a program that runs without it: the interpreter has just been started inside the program's process.

`native/src/program/attaching.rs` starts it and calls `attach`.
"""

from __future__ import annotations

import _signal
import gc

from ...engine_worker.program.provider import ProgramProvider
from ...vocabulary.coerced_locale import forget_coerced_locale
from ...vocabulary.errors import Failed
from ..streams import print_failure
from .cached_program import read_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ... import _native

_GARBAGE_THRESHOLD = 20_000  # as in `rt_supervisor.__main__`


class AttachedProvider(ProgramProvider):
    """The provider of a program that the launcher has begun: its failures are printed here, as `main` prints them."""

    def report(self, failure: BaseException) -> int:
        """Print a failure of rt; return the exit status that it means. Raises any other error."""
        if not isinstance(failure, Failed):
            raise failure
        return print_failure(failure)


def attach(program: _native.Program) -> AttachedProvider:
    """Return the provider of `program`; undo what starting the interpreter has changed of the process."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    forget_coerced_locale()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    return AttachedProvider(read_options(), program=program)
