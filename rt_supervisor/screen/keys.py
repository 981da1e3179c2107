"""The actions of the screen with their keys, and the settings that rebind them.

A key is written as Textual names it: a character, or a name such as `enter`, `pageup` or `ctrl+z`. Plain data: the command line
checks settings with this module, so nothing heavy is imported.
"""

from __future__ import annotations

from ..vocabulary.errors import Failed
from ..workspace.suggestions import closest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Each action: the keys that it has by default, and its description in the help.
ACTIONS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "up": (("up", "k"), "Select the previous task"),
    "down": (("down", "j"), "Select the next task"),
    "interact": (("enter", "i"), "Hand the keyboard to the task"),
    "release": (("ctrl+z",), "Take the keyboard back from the task"),
    "restart": (("r",), "Restart the task"),
    "restart-failed": (("R",), "Restart all tasks that failed"),
    "stop": (("x",), "Stop the task"),
    "start": (("s",), "Start the task"),
    "pause": (("p",), "Pause or resume watching"),
    "clear": (("l",), "Clear the output"),
    "open": (("o",), "Open the URL that the task printed"),
    "graph": (("g",), "Show what depends on what, with states"),
    "error": (("e",), "Go to the next error in the output, or the next task that failed"),
    "merged": (("m",), "Show the output of all tasks, or of one"),
    "group": (("b",), "Group tasks by package"),
    "filter": (("f",), "Show only tasks whose name contains a text"),
    "states": (("F",), "Show only tasks in one state; repeat for the next state"),
    "search": (("/",), "Search the output"),
    "next": (("n",), "Go to the next match"),
    "previous": (("N",), "Go to the previous match"),
    "scroll-up": (("pageup", "ctrl+b"), "Scroll back"),
    "scroll-down": (("pagedown", "ctrl+f"), "Scroll forward"),
    "top": (("home",), "Scroll to the oldest line"),
    "follow": (("end",), "Follow the output"),
    "left": (("left",), "Scroll left if lines are not wrapped"),
    "right": (("right",), "Scroll right if lines are not wrapped"),
    "wrap": (("w",), "Wrap long lines, or do not"),
    "timestamps": (("t",), "Show when lines arrived in the output of all tasks"),
    "copy": (("y",), "Copy the selection, or what is visible"),
    "help": (("?", "h"), "Show this help"),
    "suspend": (("ctrl+z",), "Suspend rt, as a shell does"),
    "interrupt": (("ctrl+c",), "End the run as Ctrl-C does; twice kills it"),
    "quit": (("q",), "End the run; asks if tasks are running"),
}

# The actions that count while a task has the keyboard; all others count while it has not.
WHILE_INTERACTING = ("release",)

_NAMED = (
    "enter", "escape", "tab", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pageup",
    "pagedown", *(f"f{number}" for number in range(1, 13)),
)  # fmt: skip
_MODIFIERS = ("ctrl", "alt", "shift")


class KeyMap:
    """Which key has which action."""

    def __init__(self, settings: Iterable[str] = ()) -> None:
        """Each of `settings` is `action:key key`, and replaces the keys of the action; without keys, it has none. Raises Failed."""
        self.keys_of: dict[str, tuple[str, ...]] = {action: keys for action, (keys, _) in ACTIONS.items()}
        given = dict(map(parse_setting, settings))
        self.keys_of.update(given)
        self._idle: dict[str, str] = {}
        self._interacting: dict[str, str] = {}
        for action in sorted(self.keys_of, key=lambda action: action in given):  # the user's settings win
            table = self._interacting if action in WHILE_INTERACTING else self._idle
            table.update(dict.fromkeys(self.keys_of[action], action))

    def action(self, key: str, *, is_interacting: bool) -> str | None:
        """Return the action of a key; None if it has none."""
        return (self._interacting if is_interacting else self._idle).get(key)

    def shown(self, action: str) -> str:
        """Return how the first key of an action is shown to the user; "" if it has none."""
        keys = self.keys_of[action]
        return show_key(keys[0]) if keys else ""


def parse_setting(setting: str) -> tuple[str, tuple[str, ...]]:
    """Return the action and the keys of `action:key key`. Raises Failed for an unknown action or key."""
    action, _, keys = setting.partition(":")
    if action not in ACTIONS:
        raise Failed(
            "invalid-flag-value", f'Invalid key setting: there is no action "{action}"{_meant(action, ACTIONS)}'
        )
    return action, tuple(map(_checked, keys.split()))


def show_key(key: str) -> str:
    """Return a key as it is shown to the user: `Ctrl-Z`, `↵`, `r`."""
    *modifiers, name = key.split("+") if len(key) > 1 else [key]
    shown = {"enter": "↵", "escape": "Esc", "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp",
             "pagedown": "PgDn"}.get(name, name if len(name) == 1 and not modifiers else name.capitalize())  # fmt: skip
    return "-".join([*(modifier.capitalize() for modifier in modifiers), shown])


def _checked(key: str) -> str:
    *modifiers, name = key.split("+") if len(key) > 1 else [key]
    for modifier in modifiers:
        if modifier not in _MODIFIERS:
            raise Failed(
                "invalid-flag-value",
                f'Invalid key "{key}": there is no modifier "{modifier}"{_meant(modifier, _MODIFIERS)}',
            )
    if len(name) != 1 and name not in _NAMED:
        raise Failed("invalid-flag-value", f'Invalid key "{key}": there is no key "{name}"{_meant(name, _NAMED)}')
    return key


def _meant(name: str, names: Iterable[str]) -> str:
    meant = closest(name, names)
    return f'; did you mean "{meant}"?' if meant else ""
