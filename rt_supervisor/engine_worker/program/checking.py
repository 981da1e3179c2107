"""The first syntax error of a program's main file, found by the transpiler or by the engine. Nothing of the program runs."""

from __future__ import annotations

import os

from ... import _native
from ...vocabulary.record import record
from ..modules.provider import COMMONJS_PARAMETERS
from .problems import ModuleNotFound, SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .provider import ProgramProvider


@record
class FoundError:
    """A syntax error: its message, and the place as a file, a line and a column from 1, and the text of the line."""

    message: str
    file: str
    line: int
    column: int
    source: str


def syntax_error(provider: ProgramProvider) -> FoundError | None:
    """Return the first syntax error of the program's main file or code; None for a file without one, and for other data.

    Raises Failed if the file cannot be read.
    """
    options = provider.options
    try:
        if options.code is not None:
            path = os.path.join(options.folder, options.code_name)
            transformed: _native.Transformed | None = provider.files.transform(options.code, path, loader="tsx")
        else:
            path = options.entry
            transformed = provider.modules.native.script(path, as_script=False)
    except SourceError as error:
        if options.code is not None and (found := _as_engine(provider, options.code, path)):
            return found
        detail = error.detail
        return FoundError(
            str(detail["message"]),
            str(detail["file"]),
            int(detail["line"]),
            int(detail["column"]),
            str(detail["source"]),
        )
    except ModuleNotFound as error:
        from ...vocabulary.errors import Failed

        raise Failed("module-not-found", error.text) from error
    if transformed is None:
        return None
    if transformed.problems:
        if found := _as_engine(provider, transformed.source, path):
            return found
        problem = transformed.problems[0]
        return FoundError(problem.message, path, problem.place.line, problem.place.column, problem.place.text)
    return _engine_error(provider, transformed, path)


def _as_engine(provider: ProgramProvider, source: str, path: str) -> FoundError | None:
    """Return the engine's form of an error that the transpiler found, for a program that sees Node only; None for TypeScript."""
    if not provider.files.is_node:
        return None
    try:
        provider.modules.compile_as_engine(source, path)
    except _native.JsError as error:
        name = provider.options.code_name if provider.options.code is not None else path
        message = str(error).removeprefix("SyntaxError: ")
        return FoundError(message, name, error.line or 1, error.column or 1, error.source_line or "")
    return None


def _engine_error(provider: ProgramProvider, transformed: _native.Transformed, path: str) -> FoundError | None:
    """Return what only the engine finds. A file without evidence of its kind is correct if it is correct as either."""
    provider.sources.add(path, transformed)
    as_module = transformed.kind == "module"
    failure: _native.JsError | None = None
    for is_module in (as_module, not as_module) if transformed.is_ambiguous else (as_module,):
        try:
            if is_module:
                provider.engine.compile_module(transformed.code, path)
            else:
                provider.engine.compile_function(transformed.code, COMMONJS_PARAMETERS, path)
            return None
        except _native.JsError as error:
            failure = failure or error
    assert failure is not None
    line, column, file = provider.sources.map_position(path, failure.line or 1, failure.column or 1)
    source = provider.sources.lines(file or path, line, line) or [failure.source_line or ""]
    return FoundError(str(failure).removeprefix("SyntaxError: "), file or path, line, column, source[0])
