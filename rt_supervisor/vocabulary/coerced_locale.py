"""The locale that Python sets for itself (PEP 538), which programs that rt starts must not inherit."""

from __future__ import annotations

import os


def forget_coerced_locale() -> None:
    """Remove LC_CTYPE from the environment if the interpreter set it, so that programs get rt's original
    environment."""
    if os.environ.get("LC_CTYPE") in ("C.UTF-8", "C.utf8", "UTF-8") and not os.environ.get("LANG", "").startswith("C."):
        try:
            with open("/proc/self/environ", "rb") as given:
                was_given = any(each.startswith(b"LC_CTYPE=") for each in given.read().split(b"\0"))
        except OSError:
            return
        if not was_given:
            del os.environ["LC_CTYPE"]
