"""The locale that Python gives itself, and hides from nobody."""

from __future__ import annotations

import os


def forget_coerced_locale() -> None:
    """Take LC_CTYPE out of the environment where the interpreter put it there (PEP 538): programs get what rt was given."""
    if os.environ.get("LC_CTYPE") in ("C.UTF-8", "C.utf8", "UTF-8") and not os.environ.get("LANG", "").startswith("C."):
        try:
            with open("/proc/self/environ", "rb") as given:
                was_given = any(each.startswith(b"LC_CTYPE=") for each in given.read().split(b"\0"))
        except OSError:
            return
        if not was_given:
            del os.environ["LC_CTYPE"]
