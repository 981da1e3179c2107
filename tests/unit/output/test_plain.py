"""The echo and failure lines of a plain run."""

from __future__ import annotations

import signal

import pytest

from rt_supervisor.output import plain


def test_echo() -> None:
    assert plain.echo("echo 1\necho 2 end", colour=False) == "$ echo 1\necho 2 end"
    assert plain.echo("echo hi", colour=True) == "\x1b[2m\x1b[35m$\x1b[0m \x1b[2m\x1b[1mecho hi\x1b[0m"


def test_exits() -> None:
    assert plain.script_exited(colour=False) == 'error: script "{name}" exited with code {code}'
    assert plain.binary_exited(colour=False) == 'error: "{name}" exited with code {code}'
    assert (plain.SCRIPT_QUIET, plain.BINARY_QUIET) == ((0, 2), (0,))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SIGTERM", "Polite quit request"),
        ("SIGKILL", "Forced quit"),
        ("SIGHUP", "Terminal hung up"),
        ("SIGUSR1", "User defined signal 1"),
        ("SIGABRT", "Abort"),
        ("SIGSEGV", "Address boundary error"),
        ("SIGPIPE", "Broken pipe"),
    ],
)
def test_signals(name: str, words: str) -> None:
    assert plain.signal_words(name, colour=False) == f"{name} ({words})"


def test_lines_about_signals() -> None:
    assert plain.script_signaled(colour=False) == 'error: script "{name}" was terminated by signal {signal}'
    assert plain.binary_signaled(colour=False) == 'error: Failed to run "{name}" due to signal {signal}'


def test_an_interrupt_is_quiet_and_an_unknown_signal_has_no_words() -> None:
    assert plain.signal_words("SIGINT", colour=False) == ""
    assert plain.signal_words("SIGRTMIN+3", colour=False) == "SIGRTMIN+3"


def test_every_deadly_signal_of_this_system_is_described() -> None:
    harmless = {"SIGCHLD", "SIGCLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU"}
    aliases = {"SIGPOLL", "SIGIOT"}
    for name in {one.name for one in signal.Signals} - harmless - aliases:
        if not name.startswith("SIGRT"):
            assert "(" in plain.signal_words(name, colour=False) or name == "SIGINT"


def test_colours_only_add_escapes() -> None:
    line = plain.script_exited(colour=True)
    assert line == '\x1b[31merror\x1b[0m\x1b[2m:\x1b[0m script \x1b[1m"{name}"\x1b[0m exited with code {code}'
