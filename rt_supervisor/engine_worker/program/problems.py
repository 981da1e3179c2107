"""Exceptions of host operations that become errors in JavaScript with the right class and code.

`js_error` converts them, through `js/boot/runtime.js`; any other Python exception becomes an Error named after its
class.
"""

from __future__ import annotations

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..._native import JsObject, SyntaxProblem


class ModuleNotFound(Exception):
    """A specifier does not resolve. `text` is printed if the error is uncaught in Bun's form, `kind` is the class in JavaScript,
    `properties` are further ones of the error."""

    def __init__(
        self, code: str, message: str, text: str, kind: str = "Error", properties: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.properties = properties or {}
        self.code = code
        self.message = message
        self.text = text


class AccessDenied(ModuleNotFound):
    """The program lacks the permission to read a file that it imports."""

    def __init__(self, path: str) -> None:
        message = "Access to this API has been restricted. Use --allow-fs-read to manage permissions."
        super().__init__("ERR_ACCESS_DENIED", message, message)
        self.properties = {"permission": "FileSystemRead", "resource": path}


class SourceError(Exception):
    """A file cannot be parsed; `detail` holds file, line, column, source line and message."""

    def __init__(self, detail: dict[str, str | int]) -> None:
        super().__init__(str(detail["message"]))
        self.detail = detail


class SystemCallFailed(Exception):
    """A system call failed on behalf of JavaScript."""

    def __init__(self, error: OSError, syscall: str, path: str | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.syscall = syscall
        self.path = path


class CodedError(Exception):
    """An error of Node's catalogue: `code` and the values in its message."""

    def __init__(self, code: str, *values: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


class RequireFailed(Exception):
    """A module exists but cannot be loaded by require(); a TypeError in JavaScript."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Thrown(Exception):
    """A JavaScript value that passes through Python as an exception."""

    def __init__(self, value: object) -> None:
        super().__init__("thrown by JavaScript")
        self.value = value


FOR_JAVASCRIPT = (CodedError, ModuleNotFound, RequireFailed, SourceError, SystemCallFailed, Thrown)


def js_error(entry: JsObject, problem: Exception) -> Any:
    """Return the JavaScript error for a Python exception; `entry` is that of the runtime."""
    match problem:
        case Thrown():
            return problem.value
        case AccessDenied():
            return entry.invoke("hostError", "Error", problem.message, problem.code, problem.properties)
        case ModuleNotFound():
            properties: Any = problem.properties
            return entry.invoke("moduleError", problem.code, problem.message, problem.text, problem.kind, properties)
        case CodedError():
            return entry.invoke("codedError", problem.code, *problem.values)
        case RequireFailed():
            return entry.invoke("hostError", "TypeError", problem.message, problem.code)
        case SourceError():
            detail: Any = problem.detail
            return entry.invoke("syntaxError", detail)
        case SystemCallFailed():
            code, words = error_words(problem.error)
            number = problem.error.errno or 0
            return entry.invoke("systemError", code, number, words, problem.syscall, problem.path)
    return entry.invoke("hostError", type(problem).__name__, str(problem))


def error_words(error: OSError) -> tuple[str, str]:
    """Return an error's code and Node's message for it."""
    return _native.system_error_words(error.errno or 0)


def awaits(name: str) -> RequireFailed:
    """Return the error of require() for a module with a top-level await."""
    message = f'require() async module "{name}" is unsupported. use "await import()" instead.'
    return RequireFailed("ERR_REQUIRE_ASYNC_MODULE", message)


def awaits_for_node(name: str) -> ModuleNotFound:
    """Return Node's error of require() for a module with a top-level await."""
    message = (
        "require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await "
        f"comes from, use --experimental-print-required-tla.\nRequired module: {name}"
    )
    return ModuleNotFound("ERR_REQUIRE_ASYNC_MODULE", message, message)


def source_error(problem: SyntaxProblem) -> SourceError:
    """Return the error for a file that the transpiler or a data reader rejected."""
    place = problem.place
    return SourceError(
        {
            "message": problem.message,
            "file": problem.path,
            "line": place.line,
            "column": place.column,
            "source": place.text,
        }
    )
