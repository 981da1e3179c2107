"""A program that was decided about in an earlier start: its options are kept for the launcher, which hands them back while
nothing that decided them has changed, so that neither the command line is read nor anything looked up.

Only what is plain is kept: a file without flags, config or env files. What the file holds, and whatever rules how it runs
(`package.json`, a tsconfig), is read by the program itself, each time, and its arguments are none of the question.
`native/wire/src/program.rs` reads what is kept.
"""

from __future__ import annotations

import os
import sys

from ...start.dependencies import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...engine_worker.program.options import ProgramOptions
    from ...settings.target import Target
    from ...start.image_boot import ImageFinder
    from ..request import Request


_QUESTION = b"program "  # of native/launcher/src/main.rs
_END_OF_FLAGS = "--"


def keep(options: ProgramOptions, request: Request, target: Target | None) -> None:
    """Keep `options` for the next start, if the launcher asks and nothing else decides."""
    if target is None or not evidence.is_whole:
        return
    is_plain = not (request.invocation.options or request.invocation.tests) and options.environment is os.environ
    if not is_plain or options.code is not None or not os.path.isfile(options.entry):
        return
    if "RT_OPTIONS" in os.environ or tuple(_arguments()) != tuple(options.arguments):
        return
    assert evidence.question is not None
    question = _QUESTION + evidence.question.words
    if words := sys.argv[1 + _named() :]:
        question = question.rsplit(b"\0", len(words))[0]
    from marshal import dumps

    from ... import _native
    from ...start import cached_start as replay
    from ...start.decision import data, text

    finder = _image()
    if finder is None or not finder.serves:  # the next start has another image
        return
    left = ("environment", "arguments")
    values = {name: getattr(options, name) for name in options.__slots__ if name not in left}  # type: ignore[attr-defined]
    try:
        plain = dumps(values)
    except ValueError:  # not plain data after all
        return
    image = _native.checksum(finder.evidence).to_bytes(8, "little")
    decided = image + text(target.path) + text(options.entry) + data(plain) + data(_without_python(options))
    kept = replay.answer_of_program(decided, question=question, file=target.path)
    if kept is not None:
        replay.keep(kept, question)


def _without_python(options: ProgramOptions) -> bytes:
    """Return what `native/src/program/kept.rs` reads, to run the program without Python; nothing where flags need Python."""
    from json import dumps

    from ...engine_worker.modules.builtin_names import BUILTINS
    from ...engine_worker.program.options import start_values
    from ...start.decision import data, listed, text

    known = start_values(options)
    values = {name: value for name, value in known.items() if value is not None and name not in _OF_EACH_PROCESS}
    try:
        kept = dumps(values).encode()
    except ValueError:
        return b""
    return text(options.entry) + data(kept) + text(options.executable) + listed(map(text, sorted(BUILTINS)))


_OF_EACH_PROCESS = ("argv", "pid", "ppid", "env")


def _named() -> int:
    """How many words name the program, if nothing but its arguments follows."""
    return 2 if sys.argv[1:2] == ["run"] and os.path.basename(sys.argv[0]) != "node" else 1


def _arguments() -> list[str]:
    words = sys.argv[1 + _named() :]
    return words[1:] if words[:1] == [_END_OF_FLAGS] else words


def _image() -> ImageFinder | None:
    first: Any = sys.meta_path[0]
    return first if hasattr(first, "serves") else None


def taken() -> ProgramOptions:
    """Return the options of the program that the launcher says is to be run."""
    from marshal import loads

    from ...engine_worker.program.options import ProgramOptions

    descriptor = int(str(sys._xoptions["rt-program"]))
    values = loads(os.pread(descriptor, os.fstat(descriptor).st_size, 0))
    os.close(descriptor)
    return ProgramOptions(environment=os.environ, arguments=tuple(_arguments()), **values)


def run(options: ProgramOptions) -> int:
    """Run the program and return its exit status, as `main` does."""
    from ...vocabulary.errors import Failed

    try:
        from ...engine_worker.program.worker import run_program
        from ...engine_worker.start import bundle

        bundle.start_ahead()
        return run_program(options)
    except Failed as failed:
        from ..streams import print_failure

        return print_failure(failed)
    except BrokenPipeError:
        return 141
