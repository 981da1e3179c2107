"""Cached starts of programs: the options of a program are stored, and a later start runs it without reading the command
line or looking anything up.

Only starts without flags, config or env files are cached. The program reads its file, and whatever else decides how it runs
(`package.json`, a tsconfig), at each start; its arguments are not part of the question. The launcher loads the record
(`native/wire/src/program.rs`) and passes the options back to `read_options`. `rt repl` is such a program too: the file that its
path leads to is that of the REPL itself.
"""

from __future__ import annotations

import os
import sys

from ...start.dependencies import dependencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...engine_worker.program.options import ProgramOptions
    from ...settings.target import Target
    from ..request import Request

# Fields of the options that each start sets.
_OF_EACH_START = ("environment", "arguments")
# Start values that each process sets.
_OF_EACH_PROCESS = ("argv", "pid", "ppid", "env")


def store(options: ProgramOptions, request: Request, target: Target | None) -> None:
    """Store the start of a program, if the launcher asked for it and only recorded dependencies decide it."""
    if not dependencies.is_recording:
        return
    is_plain = not (request.invocation.options or request.invocation.tests) and options.environment is os.environ
    if not is_plain:
        return
    if request.invocation.command == "repl":
        path = file = os.path.realpath(_repl_file())
    elif target is None or options.code is not None or not os.path.isfile(options.entry):
        return
    else:
        path, file = target.path, options.entry
    split = _split()
    if "RT_OPTIONS" in os.environ or split is None or tuple(sys.argv[1 + split[1] :]) != tuple(options.arguments):
        return
    from ...start.image import current_image

    image = current_image()
    if image is None or not image.is_complete:  # the next start has another image
        return
    from marshal import dumps

    from ... import _native
    from ...start import cached_start
    from ...start.decision import data, text

    fields = [name for name in options.__slots__ if name not in _OF_EACH_START]  # type: ignore[attr-defined]
    try:
        plain_options = dumps({name: getattr(options, name) for name in fields})
    except ValueError:  # a field is not plain data
        return
    program = b"".join(
        (
            _native.checksum(image.record).to_bytes(8, "little"),
            text(path),
            text(file),
            data(plain_options),
            data(_encode_without_python(options)),
        )
    )
    question = _question(split[0])
    record = cached_start.encode_program(program, question=question, file=path)
    if record is not None:
        cached_start.store(record, question)


def _repl_file() -> str:
    from ...engine_worker.start.bundle import JS_FOLDER

    return os.path.join(JS_FOLDER, "rt", "repl", "repl.js")


def _question(end: int) -> bytes:
    """Return the question of the program: the launcher's question up to word `end`, where the program's name ends."""
    from ... import _native

    assert dependencies.question is not None
    words = dependencies.question.words
    if arguments := sys.argv[1 + end :]:
        words = words.rsplit(b"\0", len(arguments))[0]
    return _native.PROGRAM_QUESTION + words


def _split() -> tuple[int, int] | None:
    """Return where the name of the program ends among the words of the command line, and where its arguments begin."""
    from ... import _native

    return _native.split_program(
        [os.fsencode(word) for word in sys.argv[1:]], os.fsencode(os.path.basename(sys.argv[0]))
    )


def _encode_without_python(options: ProgramOptions) -> bytes:
    """Return the record with which the native module runs the program without Python (`native/src/program/cached_program.rs`).

    Empty if a start value is not JSON.
    """
    from json import dumps

    from ...engine_worker.modules.builtin_names import BUILTINS
    from ...engine_worker.program.options import start_values
    from ...start.decision import data, listed, text

    given = start_values(options).items()
    values = {name: value for name, value in given if value is not None and name not in _OF_EACH_PROCESS}
    try:
        encoded = dumps(values).encode()
    except ValueError:
        return b""
    builtins = listed(map(text, sorted(BUILTINS)))
    return text(options.entry) + data(encoded) + text(options.executable) + builtins + text(options.identity)


def read_options() -> ProgramOptions:
    """Return the options of the program that the launcher passes to this process."""
    from marshal import loads

    from ...engine_worker.program.options import ProgramOptions

    descriptor = int(str(sys._xoptions["rt-program"]))
    values = loads(os.pread(descriptor, os.fstat(descriptor).st_size, 0))
    os.close(descriptor)
    split = _split()
    arguments = () if split is None else tuple(sys.argv[1 + split[1] :])
    return ProgramOptions(environment=os.environ, arguments=arguments, **values)


def run(options: ProgramOptions) -> int:
    """Run the program and return its exit status, as `cli.main` does."""
    from ...vocabulary.errors import Failed

    try:
        from ...engine_worker.program.provider import run_program
        from ...engine_worker.start import bundle

        bundle.start_ahead()
        return run_program(options)
    except Failed as failed:
        from ..streams import print_failure

        return print_failure(failed)
    except BrokenPipeError:
        return 141
