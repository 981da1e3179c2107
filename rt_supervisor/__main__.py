"""The `rt` command: from the interpreter's start to `cli.main`, and to the end of the process without finalisation."""

from __future__ import annotations

import _signal
import gc
import os
import sys

from .vocabulary.coerced_locale import forget_coerced_locale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from .engine_worker.start.ready_engine import ReadyEngine

# The objects of a start, none of which is garbage: the default of 700 would traverse them a dozen times (1 ms).
_GARBAGE_THRESHOLD = 20_000


def main(engine: ReadyEngine | None = None) -> NoReturn:
    """Run rt on `sys.argv` and end the process with its exit status; `engine` is that of a forked worker."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # Ctrl-C while starting ends rt, without a traceback
    if engine is None:
        _take_usual_signals()
        forget_coerced_locale()
    _open_standard_streams()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    if "rt" in sys._xoptions and engine is None:
        from .start.dependencies import dependencies

        sys.argv[0] = dependencies.begin() or sys.argv[0]
    arguments, called_as = sys.argv[1:], os.path.basename(sys.argv[0])
    if (given := os.environ.get("RT_OPTIONS")) is not None:
        from .cli.line.options_variable import words

        arguments = [*words(given), *arguments]
    try:
        if "rt-program" in sys._xoptions and engine is None:
            from .cli.run import cached_program

            status = cached_program.run(cached_program.read_options())
        else:
            status = _run(arguments, called_as, engine)
    except Exception as error:
        status = _unexpected(error)
    if "rt" in sys._xoptions and engine is None:
        from .start import image

        image.store(_describe_v8_start)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # as when it was closed before rt started
                stream.flush()
        except OSError:
            continue
    os._exit(status)  # everything rt started has ended; finalising the interpreter would take milliseconds


def _run(arguments: list[str], called_as: str, engine: ReadyEngine | None) -> int:
    if engine is None:
        from ._native import has_head_start
        from .vocabulary.extensions import EXTENSIONS

        if has_head_start([os.fsencode(word) for word in arguments], os.fsencode(called_as), EXTENSIONS):
            from .engine_worker.start.bundle import start_ahead

            start_ahead()
    from .cli.main import main as run
    from .cli.run.runners import ProcessRunners

    return run(arguments, ProcessRunners(main, engine), called_as=called_as)


def _describe_v8_start(extension: str) -> tuple[list[str], list[str]]:
    from .engine_worker.start.ahead import describe_start

    return describe_start(extension)


def _take_usual_signals() -> None:
    """Undo what rt may have inherited from its parent: blocked signals, and an ignored SIGCHLD, which hides how children end."""
    if _signal.getsignal(_signal.SIGCHLD) is _signal.SIG_IGN:
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def _open_standard_streams() -> None:
    """Open descriptors 0 to 2 if they are closed, so that no pipe of a script becomes one of them."""
    while True:
        descriptor = os.open("/dev/null", os.O_RDWR)
        if descriptor > 2:
            os.close(descriptor)
            return


def _unexpected(error: Exception) -> int:
    from .vocabulary.errors import limit_message

    limit = limit_message(error)
    if limit is not None:  # a limit that is below what rt needs can be reached anywhere
        os.write(2, f"error: {limit}\n".encode())
        return 1
    import traceback

    if os.environ.get("RT_DEBUG_TRACEBACK"):
        traceback.print_exc()
    place = traceback.extract_tb(error.__traceback__)[-1]
    name = f"{os.path.basename(os.path.dirname(place.filename))}/{os.path.basename(place.filename)}"
    text = f"error: rt has failed, which is a bug in rt: {type(error).__name__}: {error} ({name}:{place.lineno})\n"
    text += "note: please report it; RT_DEBUG_TRACEBACK=1 shows more\n"
    try:
        os.write(2, text.encode("utf-8", "backslashreplace"))
    except OSError:
        return 70
    return 70  # EX_SOFTWARE of sysexits(3)


if __name__ == "__main__":
    main()
