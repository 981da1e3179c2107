"""The interpreter's own half of `signal`, which has the same functions without the enums."""

from signal import *  # noqa: F403
