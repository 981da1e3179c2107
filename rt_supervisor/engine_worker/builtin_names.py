"""The specifiers of modules that are built in, for the resolver, which works before there is an engine to ask.

`js/builtins.js` says what each stands for; a test holds the two together.
"""

from __future__ import annotations

BUILTINS = frozenset(
    (
        "assert",
        "assert/strict",
        "buffer",
        "child_process",
        "console",
        "dns",
        "dns/promises",
        "events",
        "fs",
        "fs/promises",
        "module",
        "net",
        "os",
        "path",
        "path/posix",
        "path/win32",
        "process",
        "punycode",
        "querystring",
        "readline",
        "readline/promises",
        "stream",
        "stream/consumers",
        "stream/promises",
        "stream/web",
        "string_decoder",
        "timers",
        "timers/promises",
        "tty",
        "url",
        "util",
        "util/types",
    )
)
