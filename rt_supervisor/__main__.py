"""The `rt` command: from the interpreter's start to `cli.main`, and out again without the interpreter's long goodbye."""

from __future__ import annotations

import _signal
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

# Objects of one start, none of which is garbage: Python's default of 700 has it look at them a dozen times (1 ms).
_GARBAGE_THRESHOLD = 20_000


def main(*, has_engine: bool = False) -> NoReturn:
    """Run rt on `sys.argv` and end the process with its exit status. `has_engine`: it was forked with one that waits."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # Ctrl-C while starting ends rt, without a traceback
    _open_standard_streams()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    arguments, called_as = sys.argv[1:], os.path.basename(sys.argv[0])
    try:
        if not has_engine:
            from .cli import head_start

            head_start.take(arguments, called_as)
        from .cli.main import main as run
        from .cli.runners import ProcessRunners

        status = run(arguments, ProcessRunners(lambda: main(has_engine=True)), called_as=called_as)
    except Exception as error:
        status = _unexpected(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # as when it was closed before rt started
                stream.flush()
        except OSError:
            continue
    os._exit(status)  # everything rt started is gone by now; finalising the interpreter would cost milliseconds


def _open_standard_streams() -> None:
    """Make sure that descriptors 0 to 2 are taken, so that no pipe of a script is mistaken for one of them."""
    while True:
        descriptor = os.open("/dev/null", os.O_RDWR)
        if descriptor > 2:
            os.close(descriptor)
            return


def _unexpected(error: Exception) -> int:
    from .errors import is_descriptor_limit

    if is_descriptor_limit(error):  # fewer than rt itself needs: it can be reached anywhere
        os.write(2, b"error: rt cannot open what it needs: the limit on open files is reached (see `ulimit -n`)\n")
        return 1
    import traceback

    if os.environ.get("RT_DEBUG_TRACEBACK"):
        traceback.print_exc()
    place = traceback.extract_tb(error.__traceback__)[-1]
    name = f"{os.path.basename(os.path.dirname(place.filename))}/{os.path.basename(place.filename)}"
    sys.stderr.write(
        f"error: rt has failed, which is a bug in rt: {type(error).__name__}: {error} ({name}:{place.lineno})\n"
    )
    sys.stderr.write("note: please report it; RT_DEBUG_TRACEBACK=1 shows more\n")
    return 70  # EX_SOFTWARE of sysexits(3)


if __name__ == "__main__":
    main()
