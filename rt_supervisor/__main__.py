"""The `rt` command: from the interpreter's start to `cli.main`, and out again without the interpreter's long goodbye."""

from __future__ import annotations

import _signal
import gc
import os
import sys

from .vocabulary.coerced_locale import forget_coerced_locale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .engine_worker.start.ready_engine import ReadyEngine

# Objects of one start, none of which is garbage: Python's default of 700 has it look at them a dozen times (1 ms).
_GARBAGE_THRESHOLD = 20_000


def main(engine: ReadyEngine | None = None) -> NoReturn:
    """Run rt on `sys.argv` and end the process with its exit status; `engine` is what a worker was forked with."""
    if _signal.getsignal(_signal.SIGINT) is not _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # Ctrl-C while starting ends rt, without a traceback
    if engine is None:
        _take_usual_signals()
        forget_coerced_locale()
    _open_standard_streams()
    gc.set_threshold(_GARBAGE_THRESHOLD)
    if "rt" in sys._xoptions and engine is None:
        from .start.dependencies import evidence

        sys.argv[0] = evidence.called_path() or sys.argv[0]
    arguments, called_as = sys.argv[1:], os.path.basename(sys.argv[0])
    if (given := os.environ.get("RT_OPTIONS")) is not None:
        from .cli.line.options_variable import words

        arguments = [*words(given), *arguments]
    try:
        if "rt-program" in sys._xoptions and engine is None:
            from .cli.run import kept_program

            status = kept_program.run(kept_program.taken())
        else:
            status = _run(arguments, called_as, engine)
    except Exception as error:
        status = _unexpected(error)
    if "rt" in sys._xoptions and engine is None:
        _keep_image()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # as when it was closed before rt started
                stream.flush()
        except OSError:
            continue
    os._exit(status)  # everything rt started is gone by now; finalising the interpreter would cost milliseconds


def _run(arguments: list[str], called_as: str, engine: ReadyEngine | None) -> int:
    if engine is None:
        from .start.head_start import needs_v8

        if needs_v8(arguments, called_as):
            from .engine_worker.start.bundle import start_ahead

            start_ahead()
    from .cli.main import main as run
    from .cli.run.runners import ProcessRunners

    return run(arguments, ProcessRunners(main, engine), called_as=called_as)


def _keep_image() -> None:
    """Write a start image for the next start, unless this one began from an image that held all it needed."""
    image: Any = sys.meta_path[0]
    if getattr(image, "serves", False):
        return
    from .start import image as images

    images.keep(_describe_v8_start)


def _describe_v8_start(extension: str) -> tuple[list[str], list[str]]:
    from .engine_worker.start.ahead import describe_start

    return describe_start(extension)


def _take_usual_signals() -> None:
    """Undo what a careless parent leaves: blocked signals, and SIGCHLD ignored, which hides how children end."""
    if _signal.getsignal(_signal.SIGCHLD) is _signal.SIG_IGN:
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def _open_standard_streams() -> None:
    """Make sure that descriptors 0 to 2 are taken, so that no pipe of a script is mistaken for one of them."""
    while True:
        descriptor = os.open("/dev/null", os.O_RDWR)
        if descriptor > 2:
            os.close(descriptor)
            return


def _unexpected(error: Exception) -> int:
    from .vocabulary.errors import limit_met

    limit = limit_met(error)
    if limit is not None:  # less than rt itself needs: it can be reached anywhere
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
    except OSError:  # nobody can be told
        return 70
    return 70  # EX_SOFTWARE of sysexits(3)


if __name__ == "__main__":
    main()
