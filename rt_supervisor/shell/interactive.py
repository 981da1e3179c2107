"""`rt shell` on a terminal: prompt_toolkit edits, completes and records lines, which run one after another.

Only this module imports the library. An incomplete command continues on the next line; Ctrl-C abandons a line or ends
the running command, Ctrl-D ends the shell.
"""

from __future__ import annotations

import os

from ..vocabulary.errors import Failed
from . import aliases, trapped
from .completing import certain_rest, completions
from .interpreter import Interpreter
from .parser import parse
from .places import pointed_at
from .problems import BrokenOutput, Exit, Jump, ShellProblem
from .running import standard_streams
from .session import Ended, Session
from .state import State, folder_to_begin_in
from .tree import SyntaxProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer


def converse(environment: Mapping[str, str]) -> int:
    """Read and run lines until `exit` or the end of input; return the status. Raises Failed."""
    state = State(environment=environment, folder=folder_to_begin_in(environment), name="rt", arguments=())
    state.variables.set("PWD", state.folder)
    state.options.update(("interactive", "expand_aliases"))
    session = Session(is_interactive=True)
    shell = Interpreter(state, session, is_main=True)
    lines = _make_editor(state)
    io = standard_streams()
    while True:
        try:
            text = lines.prompt(_prompt(state))
        except EOFError:
            break
        except KeyboardInterrupt:
            state.status = 130
            continue
        session.begin()
        try:
            shell.run(parse(text, aliases=aliases.current(state)), io)
        except SyntaxProblem as problem:
            shell.complain(f"{problem.message}\n    at {pointed_at(text, problem.at)}", io)
            state.status = 2
        except ShellProblem as problem:
            state.status = shell.report(problem, io)
        except Exit as jump:
            return trapped.run_exit_trap(shell, jump.status, io)
        except BrokenOutput:
            state.status = 141
        except Jump:
            continue
        except Ended as ended:
            os.write(2, b"\n")
            state.status = 128 + ended.number
    return trapped.run_exit_trap(shell, state.status, io)


def _make_editor(state: State) -> PromptSession[str]:
    try:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import CompleteEvent, Completer, Completion
        from prompt_toolkit.document import Document
        from prompt_toolkit.filters import completion_is_selected, is_searching
        from prompt_toolkit.history import FileHistory, InMemoryHistory
        from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    except ImportError as error:
        raise Failed(
            "no-line-editor",
            f"rt shell needs the package prompt_toolkit to be opened on a terminal ({error})\n"
            "note: install it (pip install prompt_toolkit), or give commands: rt shell -c 'command', rt shell FILE",
        ) from error

    class ShellCompleter(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            for text, start in completions(document.text_before_cursor, state):
                yield Completion(text, start_position=start)

    keys = KeyBindings()

    @keys.add("enter", filter=~is_searching & ~completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if goes_on(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("tab")
    def _(event: KeyPressEvent) -> None:
        """Insert the common prefix of all completions immediately, so that keys typed next follow it; then show
        them."""
        buffer = event.current_buffer
        if buffer.complete_state:
            buffer.complete_next()
            return
        before = buffer.document.text_before_cursor
        found = list(completions(before, state))
        buffer.insert_text(certain_rest(before, found))
        if len(found) != 1:
            buffer.start_completion()

    completer: Completer = ShellCompleter()
    path = _history_path(state)
    return PromptSession(
        history=FileHistory(path) if path else InMemoryHistory(),
        completer=completer,
        complete_while_typing=False,
        enable_history_search=True,
        multiline=True,  # a command of several lines is edited and recorded as one
        prompt_continuation="> ",
        key_bindings=keys,
    )


def goes_on(text: str) -> bool:
    """Return whether `text` is an incomplete command."""
    try:
        parse(text)
    except SyntaxProblem as problem:
        return problem.wants_more
    return False


def _prompt(state: State) -> str:
    home = state.variables.get("HOME") or ""
    folder = state.folder
    if home not in ("", "/") and (folder == home or folder.startswith(home + "/")):
        folder = "~" + folder[len(home) :]
    status = f"[{state.status}] " if state.status else ""
    return f"{status}{folder} $ "


def _history_path(state: State) -> str | None:
    base = state.variables.get("XDG_STATE_HOME")
    home = state.variables.get("HOME")
    if not base and not home:
        return None
    folder = os.path.join(base or os.path.join(home or "", ".local/state"), "rt")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError:
        return None
    return os.path.join(folder, "shell_history")
