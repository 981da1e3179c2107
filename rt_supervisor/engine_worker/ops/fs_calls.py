"""System calls on paths and descriptors whose failures say which call it was; paths as JavaScript sees them."""

from __future__ import annotations

import os

from ..problems import SystemCallFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Path = str | bytes

CLOEXEC = os.O_CLOEXEC
READ_BYTES = 64 * 1024


def on_path(syscall: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def operation(path: Path, *rest: Any) -> Any:
        try:
            return call(path, *rest)
        except OSError as error:
            raise SystemCallFailed(error, syscall, shown(path)) from error

    return operation


def on_two_paths(syscall: str, call: Callable[[Any, Any], None]) -> Callable[[Path, Path], None]:
    def operation(source: Path, target: Path) -> None:
        try:
            call(path_bytes(source), path_bytes(target))
        except OSError as error:
            raise SystemCallFailed(error, syscall, shown(source), shown(target)) from error

    return operation


def on_descriptor(syscall: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def operation(descriptor: int, *rest: Any) -> Any:
        try:
            return call(descriptor, *rest)
        except OSError as error:
            raise SystemCallFailed(error, syscall) from error

    return operation


def path_bytes(path: Path) -> bytes:
    return os.fsencode(path)


def shown(path: Path) -> str:
    """A path as JavaScript text: bytes that are no UTF-8 become U+FFFD."""
    if isinstance(path, str) and path.isascii():
        return path
    return os.fsencode(path).decode("utf-8", "replace")


def encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # lone surrogates
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
