"""The echo and failure lines of a plain run."""

from __future__ import annotations

import signal

import pytest

from rt_supervisor.output import plain


def test_echo() -> None:
    assert plain.echo("echo 1\necho 2 end", colour=False) == "$ echo 1\necho 2 end"
    assert plain.echo("echo hi", colour=True) == "\x1b[2m\x1b[35m$\x1b[0m \x1b[2m\x1b[1mecho hi\x1b[0m"


@pytest.mark.parametrize(("code", "line"), [(0, None), (2, None), (3, 'error: script "x" exited with code 3')])
def test_exit_of_a_script(code: int, line: str | None) -> None:
    assert plain.script_exited("x", code, colour=False) == line


@pytest.mark.parametrize(("code", "line"), [(0, None), (2, 'error: "f" exited with code 2')])
def test_exit_of_a_binary(code: int, line: str | None) -> None:
    assert plain.binary_exited("f", code, colour=False) == line


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
    line = plain.script_signaled("x", name, colour=False)
    assert line == f'error: script "x" was terminated by signal {name} ({words})'
    assert (
        plain.binary_signaled("sh", name, colour=False) == f'error: Failed to run "sh" due to signal {name} ({words})'
    )


def test_an_interrupt_is_quiet_and_an_unknown_signal_has_no_words() -> None:
    assert plain.script_signaled("x", "SIGINT", colour=False) is None
    assert plain.binary_signaled("x", "SIGINT", colour=False) is None
    line = plain.script_signaled("x", "SIGRTMIN+3", colour=False)
    assert line == 'error: script "x" was terminated by signal SIGRTMIN+3'


def test_every_deadly_signal_of_this_system_is_described() -> None:
    harmless = {"SIGCHLD", "SIGCLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU"}
    aliases = {"SIGPOLL", "SIGIOT"}
    for name in {one.name for one in signal.Signals} - harmless - aliases:
        if not name.startswith("SIGRT"):
            assert "(" in str(plain.script_signaled("x", name, colour=False)) or name == "SIGINT"


def test_colours_only_add_escapes() -> None:
    line = plain.script_exited("x", 3, colour=True)
    assert line == '\x1b[31merror\x1b[0m\x1b[2m:\x1b[0m script \x1b[1m"x"\x1b[0m exited with code 3'
