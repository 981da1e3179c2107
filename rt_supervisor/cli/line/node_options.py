"""NODE_OPTIONS: flags that stand before those of a program's command line, of which rt heeds those that it has itself.

Node refuses what it does not know there; rt reads on, since the same variable is for every program of a shell.
"""

from __future__ import annotations

from ...vocabulary.record import replace
from . import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .arguments import Invocation, Value

HEEDED = frozenset(
    (
        "preload", "experimental-loader", "loader", "conditions", "no-deprecation", "throw-deprecation", "no-warnings", "disable-warning", "redirect-warnings", "trace-warnings",
        "trace-deprecation", "trace-exit", "heapsnapshot-near-heap-limit", "zero-fill-buffers", "title", "dns-result-order", "disable-proto", "unhandled-rejections", "preserve-symlinks",
        "preserve-symlinks-main", "no-addons", "max-http-header-size", "use-system-ca", "use-openssl-ca", "use-bundled-ca",
        "use-env-proxy", "tls-min-v1.0", "tls-min-v1.1", "tls-min-v1.2", "tls-min-v1.3", "tls-max-v1.2", "tls-max-v1.3",
        "tls-cipher-list", "tls-keylog", "network-family-autoselection", "network-family-autoselection-attempt-timeout",
        "experimental-websocket", "experimental-eventsource", "experimental-global-navigator",
        "inspect", "inspect-wait", "inspect-brk", "inspect-port", "disable-sigusr1", "stack-trace-limit",
        "cpu-prof", "cpu-prof-dir", "cpu-prof-name", "cpu-prof-interval", "heap-prof", "heap-prof-dir", "heap-prof-name", "heap-prof-interval",
    )
)  # fmt: skip


def with_node_options(invocation: Invocation, text: str) -> Invocation:
    """Return `invocation` with the flags of `text` before its own. Raises Failed for a bad value."""
    options: dict[str, Value] = {}
    given = ["--conditions" if word == "-C" else word for word in words(text)]  # rt's own -C is another
    said = arguments.parse_as_node([*given, "-"])
    for flag, value in said.options.items():
        if flag in HEEDED:
            options[flag] = value
    for flag, value in invocation.options.items():
        before = options.get(flag)
        options[flag] = before + value if isinstance(before, tuple) and isinstance(value, tuple) else value
    if said.permission:
        from .permission_flags import joined as both

        invocation = replace(invocation, permission=both(said.permission, invocation.permission))
    joined: Invocation = replace(invocation, options=options)
    return joined


def words(text: str) -> list[str]:
    """Return the words of `text`: between spaces, or between double quotes, where a backslash keeps the next character."""
    found: list[str] = []
    word, is_begun, is_quoted = "", False, False
    characters = iter(text)
    for character in characters:
        if is_quoted and character == "\\":
            word += next(characters, "")
        elif character == '"':
            is_quoted, is_begun = not is_quoted, True
        elif character == " " and not is_quoted:
            if is_begun:
                found.append(word)
            word, is_begun = "", False
        else:
            word, is_begun = word + character, True
    return [*found, word] if is_begun else found
