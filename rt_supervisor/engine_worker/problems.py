"""What host operations raise for JavaScript to catch: each becomes a JavaScript error of the right kind and code."""

from __future__ import annotations


class ModuleNotFound(Exception):
    """A specifier leads nowhere. `text` is what an uncaught one prints."""

    def __init__(self, code: str, message: str, text: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.text = text


class SourceError(Exception):
    """A file cannot be parsed; `detail` holds file, line, column, source line and message."""

    def __init__(self, detail: dict[str, str | int]) -> None:
        super().__init__(str(detail["message"]))
        self.detail = detail


class SystemCallFailed(Exception):
    """A system call failed on behalf of JavaScript."""

    def __init__(self, error: OSError, syscall: str, path: str | None = None, dest: str | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.syscall = syscall
        self.path = path
        self.dest = dest
