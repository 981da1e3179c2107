"""What Node refuses on its command line, for programs that are started under the name `node`: unknown flags and bad values.

Node prints `EXECUTABLE: message` and ends with status 9. Imported only for a flag that rt does not know, and for a failure.
"""

from __future__ import annotations

import os

from ...vocabulary.errors import Failed
from . import flags, node_flags, test_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...vocabulary.errors import Failure

_STATUS = 9
_REASONS = (
    "flag-needs-value",
    "flag-takes-no-value",
    "invalid-flag-value",
    "unknown-flag",
    "several-ca-stores",
    "snapshot-without-file",
    "tls-versions-conflict",
    "check-of-code",
)
_DEBUG = (
    "[DEP0062]: `node --debug` and `node --debug-brk` are invalid. "
    "Please use `node --inspect` and `node --inspect-brk` instead."
)
_CHOICES = ("unhandled-rejections", "use-largepages", "test-isolation", "trace-require-module")
_TAKES_VALUE = (flags.STRING, flags.NUMBER)


def thrown_text(failure: Failure) -> str | None:
    """Return how Node prints a failure that its JavaScript throws, with status 1; None for any other failure."""
    if failure.reason == "inspector-not-allowed":
        return f"Error: {failure.message} {{\n  code: 'ERR_ACCESS_DENIED',\n  permission: 'Inspector'\n}}"
    if failure.reason != "invalid-flag-value":
        return None
    if failure.message.startswith('The value of "--test-'):
        return f"RangeError [ERR_OUT_OF_RANGE]: {failure.message}"
    if failure.message.startswith("Invalid value for --watch-kill-signal:"):
        name = failure.message.split('"')[1]
        return f"TypeError [ERR_UNKNOWN_SIGNAL]: Unknown signal: {name}"
    return None


def node_message(failure: Failure, argv: list[str]) -> str | None:
    """Return Node's message for a failure of the command line `argv`; None for any other failure."""
    if failure.reason not in _REASONS:
        return None
    if failure.reason == "several-ca-stores":
        others = [store for store in ("bundled", "system") if f"--use-{store}-ca" in argv]
        if "--use-openssl-ca" in argv and others:
            return f"either --use-openssl-ca or --use-{others[0]}-ca can be used, not both"
    for name in _CHOICES:
        if failure.reason == "invalid-flag-value" and f"--{name}:" in failure.message:
            return f"invalid value for --{name}"
    return failure.message


def status_of(failure: Failure) -> int:
    """Return the status of Node for a failure that `node_message` translates."""
    return failure.status if failure.status != 1 else _STATUS


def check_unknown(word: str, words: Sequence[str]) -> None:
    """Check a flag, one of `words`, that rt does not know; those of Node and V8 without an effect here are ignored.

    Raises Failed.
    """
    name, _, value = word.lstrip("-").partition("=")
    if not word.startswith("--"):
        raise _refused(f"bad option: {word}")
    name = name.replace("_", "-")
    if name in ("debug", "debug-brk"):
        raise _refused(_DEBUG)
    if name == "security-revert":
        raise Failed("unknown-flag", f"Error: Attempt to revert an unknown CVE [{value}]", 12)
    check_value(word, words)
    positive = name.removeprefix("no-")
    ignored = node_flags.IGNORED_UNDER_NODE.split()
    if node_flags.is_harmless(name) or name in ignored or positive in ignored:
        return
    if positive != name and positive in flags.BY_NAME and flags.BY_NAME[positive].kind in _TAKES_VALUE:
        raise _refused(f"--{name} is an invalid negation because it is not a boolean option")
    if positive in flags.BY_NAME or test_flags.find_flag(positive) is not None:
        return
    if not _v8_flags().isdisjoint((name, positive, name.removeprefix("no"))):
        return
    raise _refused(f"bad option: {word}")


def check_value(word: str, words: Sequence[str]) -> None:
    """Check the value of a flag of Node without an effect here, one of `words`. Raises Failed."""
    name, equals, value = word.removeprefix("--").partition("=")
    name = name.replace("_", "-")
    if not equals and name == "input-type":
        value = next(iter(words[list(words).index(word) + 1 :]), "")
    elif not equals:
        return
    if name == "use-largepages" and value not in ("off", "on", "silent"):
        raise _refused("invalid value for --use-largepages")
    if name in ("secure-heap", "secure-heap-min"):
        _check_powers(words)
    elif name == "input-type" and value not in ("module", "commonjs", "module-typescript", "commonjs-typescript"):
        raise _refused('--input-type must be "module","commonjs", "module-typescript" or "commonjs-typescript"')


def _refused(message: str) -> Failed:
    return Failed("unknown-flag", message, _STATUS)


def _check_powers(words: Sequence[str]) -> None:
    """Check the sizes of the secure heap, both at once as Node does: the smaller one counts at most as much as the other."""
    heap = _size(words, "--secure-heap")
    least = min(heap, _size(words, "--secure-heap-min"))
    sizes = {"--secure-heap": heap, "--secure-heap-min": least}
    problems = [f"{name} must be a power of 2" for name, size in sizes.items() if size & (size - 1)]
    if problems and heap > 1:
        raise Failed("unknown-flag", "\n".join(problems), _STATUS)


def _size(words: Sequence[str], name: str) -> int:
    values = [word.partition("=")[2] for word in words if word.replace("_", "-").startswith(f"{name}=")]
    return int(values[-1]) if values and values[-1].isdigit() else 0


def _v8_flags() -> frozenset[str]:
    """Return the names of V8's flags, with dashes. Starts V8 in a process of its own, so it is called last."""
    import subprocess

    from ...settings.environment import own_executable

    command = [own_executable(), "--v8-options"]
    listing = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL).stdout
    lines = (
        line.split()[0] for line in listing.splitlines() if line.startswith("  --") and os.path.sep not in line[:4]
    )
    return frozenset(name.removeprefix("--").replace("_", "-") for name in lines)
