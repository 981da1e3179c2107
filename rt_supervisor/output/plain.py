"""The messages of a plain run: the echo of the command before it, and the line about its failure after it.

They go to stderr. Pure: with `colour`, the same text in the peer's colours, which never change a width. Signals are
passed by name rather than number, so that this module does not need `signal`.
"""

from __future__ import annotations

_DESCRIPTIONS = {
    "SIGHUP": "Terminal hung up",
    "SIGINT": "Quit request from job control (^C)",
    "SIGQUIT": "Quit request from job control with core dump (^\\)",
    "SIGILL": "Illegal instruction",
    "SIGTRAP": "Trace or breakpoint trap",
    "SIGABRT": "Abort",
    "SIGBUS": "Misaligned address error",
    "SIGFPE": "Floating point exception",
    "SIGKILL": "Forced quit",
    "SIGUSR1": "User defined signal 1",
    "SIGUSR2": "User defined signal 2",
    "SIGSEGV": "Address boundary error",
    "SIGPIPE": "Broken pipe",
    "SIGALRM": "Timer expired",
    "SIGTERM": "Polite quit request",
    "SIGSTKFLT": "Stack fault",
    "SIGXCPU": "CPU time limit exceeded",
    "SIGXFSZ": "File size limit exceeded",
    "SIGVTALRM": "Virtual timer expired",
    "SIGPROF": "Profiling timer expired",
    "SIGIO": "I/O on asynchronous file descriptor is possible",
    "SIGPWR": "Power failure",
    "SIGSYS": "Bad system call",
}
_RESET, _BOLD, _DIM, _RED, _YELLOW, _MAGENTA = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[35m"


def echo(command: str, *, colour: bool) -> str:
    """Return the line printed before a script, without its line end; all lines of a command are printed."""
    if colour:
        return f"{_DIM}{_MAGENTA}${_RESET} {_DIM}{_BOLD}{command}{_RESET}"
    return f"$ {command}"


SCRIPT_QUIET = (0, 2)  # exit codes of a script without a message
BINARY_QUIET = (0,)


def script_exited(*, colour: bool) -> str:
    """Return the message about a script that exited; fields: `name` and `code`."""
    return error(f"script {_name(colour)} exited with code {{code}}", colour=colour)


def script_signaled(*, colour: bool) -> str:
    """Return the message about a script that a signal terminated; fields: `name` and `signal` (`signal_words`)."""
    return error(f"script {_name(colour)} was terminated by signal {{signal}}", colour=colour)


def binary_exited(*, colour: bool) -> str:
    """Return the message about a binary or system command that exited; fields: `name` and `code`."""
    return error(f"{_name(colour)} exited with code {{code}}", colour=colour)


def binary_signaled(*, colour: bool) -> str:
    """Return the message about a binary or system command that a signal terminated; fields: `name` and `signal`
    (`signal_words`)."""
    return error(f"Failed to run {_name(colour)} due to signal {{signal}}", colour=colour)


def signal_words(signal_name: str, *, colour: bool) -> str:
    """Return the name and the description of a signal; "" for SIGINT, which the user sent with Ctrl-C: then nothing is
    printed."""
    return "" if signal_name == "SIGINT" else signal_name + _description(signal_name, colour)


def error(message: str, *, colour: bool) -> str:
    """`error: message`."""
    return f"{_RED}error{_RESET}{_DIM}:{_RESET} {message}" if colour else f"error: {message}"


def warning(message: str, *, colour: bool) -> str:
    """`warn: message`."""
    return f"{_YELLOW}warn{_RESET}{_DIM}:{_RESET} {message}" if colour else f"warn: {message}"


def _description(signal_name: str, colour: bool) -> str:
    words = _DESCRIPTIONS.get(signal_name)
    if words is None:
        return ""
    return f" {_DIM}({words}){_RESET}" if colour else f" ({words})"


def _name(colour: bool) -> str:
    return f'{_BOLD}"{{name}}"{_RESET}' if colour else '"{name}"'
