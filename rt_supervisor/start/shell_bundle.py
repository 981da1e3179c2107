"""rt's own shell as one file that the interpreter runs: what a script's shell starts from where an answer is kept for it.

Finding some 30 modules costs as much as running them. The bundle lies in the user's cache under a name that changes with
every module in it; an answer that names it is believed only while the bundle and all of those modules are what they were.
"""

from __future__ import annotations

import marshal
import os
import sys

from .. import __version__, _native
from .cache_folder import cache_folder, evict
from .dependencies import evidence

_MOST_BUNDLES = 4
_CHECKED_BY_NOBODY = (0).to_bytes(12, "little")  # what a .pyc says of its source, which has none
_LEFT_OUT = ("bundled.py", "interactive.py", "completing.py", "explain.py", "posix_regex.py")
_BUILTINS = ("__init__", "calls", "control", "copying", "folders", "making", "modes", "printing", "removing", "showing", "testing", "variables")  # fmt: skip
_EMPTY = "] = {}  #"
_WITHOUT_DOCUMENTATION = 2
_VOCABULARY = ("__init__", "record", "coerced_locale")


def bundle() -> str | None:
    """The bundle's path, made where it is not there yet, and noted with its modules as evidence; None without a cache."""
    folder = cache_folder("shells")
    if folder is None or os.name != "posix" or _native.cache_flaw(folder) is not None:
        return None
    try:
        modules = _modules()
        path = os.path.join(folder, f"{_name(modules)}.pyc")
        if not os.path.exists(path):
            _native.cache_put(path, _contents(modules), is_durable=False)
            evict(folder, keep=path, most=_MOST_BUNDLES)
            evidence.made(path)
    except (OSError, ImportError, SyntaxError, ValueError):
        return None
    for each in (path, *modules.values()):
        evidence.noted(each)
    return path


def _modules() -> dict[str, str]:
    """The modules and their files. Raises OSError."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    package = os.path.basename(root)
    names = sorted(os.listdir(os.path.join(root, "shell")))
    files = [
        (package, "__init__.py"),
        *((f"{package}.vocabulary", f"vocabulary/{name}.py") for name in _VOCABULARY),
        *((f"{package}.shell", f"shell/{name}") for name in names if name.endswith(".py") and name not in _LEFT_OUT),
        *((f"{package}.shell.builtins", f"shell/builtins/{name}.py") for name in _BUILTINS),
    ]
    found = {}
    for parent, file in files:
        stem = os.path.basename(file).removesuffix(".py")
        found[parent if stem == "__init__" else f"{parent}.{stem}"] = os.path.join(root, file)
    return found


def _name(modules: dict[str, str]) -> str:
    about = [(path, (stat := os.stat(path)).st_mtime_ns, stat.st_size) for path in (*modules.values(), __file__)]
    key = repr((sys.version, sys.implementation.cache_tag, about)).encode("utf-8", "surrogateescape")
    return f"{__version__}-{_native.checksum(key):016x}"


def _contents(modules: dict[str, str]) -> bytes:
    """The bundle as a .pyc, which the interpreter takes in place of a script. Raises OSError and what compiling raises."""
    import __future__

    from importlib.util import MAGIC_NUMBER

    kept = {}
    for name, path in (*modules.items(), ("__future__", __future__.__file__)):
        with open(path, encoding="utf-8") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True, optimize=_WITHOUT_DOCUMENTATION)
        kept[name] = (path, path.endswith("__init__.py"), marshal.dumps(code))
    first = os.path.join(os.path.dirname(modules["rt_supervisor.shell"]), "bundled.py")
    with open(first, encoding="utf-8") as file:
        text = file.read()
    whole = text.replace(_EMPTY, f"] = {kept!r}  #", 1)
    code = compile(whole, first, "exec", dont_inherit=True, optimize=_WITHOUT_DOCUMENTATION)
    return MAGIC_NUMBER + _CHECKED_BY_NOBODY + marshal.dumps(code)
