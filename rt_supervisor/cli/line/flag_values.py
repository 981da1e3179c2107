"""Checks of the values of flags, with the messages for invalid ones; imported with the first value.

The messages are those of the peer; where it checks nothing, they follow its style.
"""

from __future__ import annotations

from ...vocabulary.errors import Failed
from .flags import NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from .flags import Flag

# What is printed for a word that is not one of a flag's choices, where the usual sentence is not the one users know.
_CHOICE_MESSAGES: dict[str, str] = {
    "shell": "Expected --shell to be one of 'rt' or 'system'. Received: \"{value}\"",
    "dry-run": 'Invalid value for --dry-run: "{value}". Must be "json" or nothing',
    "install": 'Invalid value for --install: "{value}". Must be either "auto", "fallback", "force", or "disable"',
    "jsx-runtime": 'Invalid --jsx-runtime: "{value}", expected "automatic" or "classic"',
    "dns-result-order": "Invalid DNS result order.",
}
_CHOICE_MESSAGE = 'Invalid value for --{name}: "{value}". Must be one of {choices}'
LOADERS = (
    "js", "jsx", "ts", "tsx", "css", "file", "json", "jsonc", "toml", "wasm", "napi", "base64", "dataurl", "text", "sqlite",
    "yaml", "json5", "md", "xml",
)  # fmt: skip


def check(flag: Flag, value: str) -> str | int:
    """Return `value`, as an int when `flag` takes a number. Raises `Failed` when the flag cannot take it."""
    if flag.choices:
        if value not in flag.choices:
            choices = ", ".join(f'"{word}"' for word in flag.choices)
            message = _CHOICE_MESSAGES.get(flag.name, _CHOICE_MESSAGE)
            raise _invalid(message.format(name=flag.name, value=value, choices=choices))
    elif flag.kind == NUMBER:
        return _number(flag, value)
    elif flag.name in _CHECKS:
        _CHECKS[flag.name](value)
    return value


def concurrency_limit(value: str | None, cpus: int) -> int:
    """Return how many scripts `--concurrency value` allows on `cpus` CPUs, at least 1; the number of CPUs without a value."""
    if value is None:
        return max(1, cpus)
    return max(1, cpus * int(value[:-1]) // 100 if value.endswith("%") else int(value))


_BAD_ARGUMENT = 9  # Node's status for flags that do not go together


def check_profile_flags(given: Iterable[str], options: Mapping[str, object]) -> None:
    """Check that `given` flags that configure a profile come with the flag that requests it among `options`. As in Node, the
    default of a number counts as not given. Raises Failed."""
    from .flags import BY_NAME

    for name in given:
        kind, prof, how = name.partition("-prof-")
        is_wanted = f"{kind}-prof" in options or f"{kind}-prof-md" in options
        if prof and how not in ("", "md") and not is_wanted and options[name] != BY_NAME[name].default:
            raise Failed("invalid-flag-value", f"--{name} must be used with --{kind}-prof", _BAD_ARGUMENT)


def _invalid(message: str) -> Failed:
    return Failed("invalid-flag-value", message)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16


def _number(flag: Flag, value: str) -> int:
    name = flag.name
    if flag.most:
        if not _is_whole(value) or int(value) > flag.most:
            range_text = f"It must be >= 0 and <= {flag.most}"
            raise _invalid(f'The value of "--{name}" is out of range. {range_text}. Received {value}')
    elif not _is_whole(value):
        if name == "elide-lines":
            raise _invalid(f'Invalid elide-lines: "{value}"')
        raise _invalid(f'Invalid value for --{name}: "{value}". Must be a positive integer')
    return int(value)


def _concurrency(value: str) -> None:
    digits = value.removesuffix("%")
    if not _is_whole(digits) or int(digits) == 0:
        raise _invalid(f'Invalid value for --concurrency: "{value}". Must be a positive integer or a percentage')


def _heap_size(value: str) -> None:
    if not _is_whole(value):
        raise _invalid(f'Invalid value for --max-old-space-size: "{value}". Must be a number of megabytes')


def _heap_percentage(value: str) -> None:
    if not value:
        raise _invalid("--max-old-space-size-percentage= requires an argument")
    try:
        is_valid = 0 < float(value) <= 100 and value.replace(".", "").isdigit()
    except ValueError:
        is_valid = False
    if not is_valid:
        raise _invalid(f"--max-old-space-size-percentage must be greater than 0 and up to 100. Got: {value}")


def _fetch_preconnect(value: str) -> None:
    if not value.lower().startswith(("http://", "https://")):
        raise _invalid(f'preconnect URL must be HTTP or HTTPS: "{value}"')
    authority = value.partition("://")[2]
    for mark in "/?#\\":
        authority = authority.partition(mark)[0]
    place = authority.rpartition("@")[2]
    host, colon, port = (place, "", "") if place.endswith("]") else place.rpartition(":")
    if not colon:
        host = place
    if not host or any(letter <= " " for letter in host):
        raise _invalid(f'preconnect URL must have a hostname: "{value}"')
    if colon and port and not (_is_whole(port) and 0 < int(port) <= 65535):
        raise _invalid(f'preconnect URL must have a valid port: "{value}"')


def _user_agent(value: str) -> None:
    if any(letter in value for letter in "\r\n\0"):
        raise _invalid("Invalid value for --user-agent: must not contain a newline or NUL byte")


def names_module(loader: str) -> bool:
    """Return whether a value of --loader is a module with hooks, as for Node's --loader, not `.ext:loader`."""
    return loader.startswith(("./", "../", "/", "file:", "data:")) or (loader[:1] != "." and ":" not in loader)


def _loader(value: str) -> None:
    if names_module(value):
        return
    extension, colon, loader = value.partition(":")
    if not colon:
        wanted = "Expected --loader .ext:loader, for example --loader .md:text"
        raise _invalid(f'--loader "{value}" is missing a ":" separator. {wanted}')
    if extension and not extension.startswith("."):  # without one: files that have none
        raise _invalid(f"file extension must start with a '.' (while mapping loader \"{value}\")")
    if loader not in LOADERS:
        listed = "".join(f"\n-  {name}" for name in LOADERS)
        raise _invalid(f'invalid loader "{loader}", expected one of:{listed}')


def _define(value: str) -> None:
    if ":" not in value and "=" not in value:
        wanted = "Expected --define key=value, for example --define process.env.NODE_ENV='\"production\"'"
        raise _invalid(f'--define "{value}" is missing a ":" or "=" separator. {wanted}')


def _signal(value: str) -> None:
    from signal import Signals  # 4 ms, only with this flag

    if value not in Signals.__members__:
        raise _invalid(
            f'Invalid value for --watch-kill-signal: "{value}". Must be the name of a signal, such as SIGTERM'
        )


def _inspect_ui(value: str) -> None:
    from ...settings.inspect_address import is_page_address

    if not is_page_address(value):
        raise _invalid(f'Invalid value for --inspect-ui: "{value}". Must be an http: or https: URL without "#"')


def _publish_places(value: str) -> None:
    if not value or not {"stderr", "http"}.issuperset(value.split(",")):
        raise _invalid("--inspect-publish-uid destination can be stderr or http")


def _address(flag: str) -> Callable[[str], None]:
    def check_address(value: str) -> None:
        from ...settings.inspect_address import read_address

        read_address(f"--{flag}", value)

    return check_address


def _ui_key(value: str) -> None:
    from ...screen.keys import parse_setting

    parse_setting(value)


_CHECKS: dict[str, Callable[[str], None]] = {
    "concurrency": _concurrency,
    "define": _define,
    "fetch-preconnect": _fetch_preconnect,
    "user-agent": _user_agent,
    "loader": _loader,
    "watch-kill-signal": _signal,
    "inspect-ui": _inspect_ui,
    "inspect-publish-uid": _publish_places,
    "ui-key": _ui_key,
    "max-old-space-size": _heap_size,
    "max-old-space-size-percentage": _heap_percentage,
    **{flag: _address(flag) for flag in ("inspect", "inspect-wait", "inspect-brk", "inspect-port")},
}
