"""The pages of the documentation that `rt help TOPIC` shows.

An installed rt has them in its package, in the folder `documentation`, where the build puts a copy of `docs/`. A checkout
reads `docs/` itself. Imported only by help, completions and the manual page.
"""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_CHECKOUT = os.path.dirname(_PACKAGE)
_SUFFIX = ".md"
# For developers of rt; `rt help` shows these pages, but does not list them.
INTERNAL = frozenset(("architecture", "decisions", "index", "releasing", "starting"))


def topics() -> list[str]:
    """Return the names of the pages for users, sorted; none if rt was installed without documentation."""
    return sorted(name for name in _names() if name not in INTERNAL)


def page_path(topic: str) -> str | None:
    """Return the file of a page, also of one that is not listed; None if there is no such page."""
    return os.path.join(_folder(), topic + _SUFFIX) if topic in _names() else None


def _names() -> list[str]:
    try:
        files = os.listdir(_folder())
    except OSError:
        return []
    return [file.removesuffix(_SUFFIX) for file in files if file.endswith(_SUFFIX)]


def _folder() -> str:
    if os.path.isfile(os.path.join(_CHECKOUT, "packaging", "rt_build.py")):
        return os.path.join(_CHECKOUT, "docs")
    return os.path.join(_PACKAGE, "documentation")
