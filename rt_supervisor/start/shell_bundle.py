"""The shell bundle: rt's own shell as one file that the interpreter runs, for cached starts whose scripts run in it.

Finding some 30 modules takes as long as running them. The name of the bundle changes with every module in it; a cached
start that names it depends on the bundle and on all of those modules.
"""

from __future__ import annotations

import os
import sys

from .. import __version__, _native
from .cache_folder import MOST_IMAGES, cache_folder, evict
from .dependencies import dependencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .frozen_file import Frozen

_MAIN = "rt_supervisor.shell.script_process"
_LEFT_OUT = ("interactive.py", "completing.py", "explain.py", "posix_regex.py")
_BUILTINS = ("__init__", "calls", "control", "copying", "folders", "making", "modes", "printing", "removing", "showing", "testing", "variables")  # fmt: skip
_VOCABULARY = ("__init__", "record", "coerced_locale")
_WITHOUT_DOCSTRINGS = 2


def store_bundle() -> str | None:
    """Return the path of the bundle, after storing it if necessary, and depend on it; None without a cache."""
    folder = cache_folder("images")
    if folder is None or os.name != "posix" or _native.cache_flaw(folder) is not None:
        return None
    try:
        modules = _module_files()
        path = os.path.join(folder, f"{_name(modules)}.pyc")
        if not os.path.exists(path):
            from .frozen_file import encode

            _native.cache_put(path, encode(_frozen(modules), main=_MAIN), is_durable=False)
            evict(folder, keep=path, most=MOST_IMAGES)
            dependencies.add_created(path)
    except (OSError, ImportError, SyntaxError, ValueError):
        return None
    for each in (path, *modules.values()):
        dependencies.add_path(each)
    return path


def _module_files() -> dict[str, str]:
    """Return the modules of the bundle and their files. Raises OSError."""
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
    from . import frozen_boot, frozen_file

    files = (*modules.values(), __file__, frozen_boot.__file__, frozen_file.__file__)
    about = [(path, (stat := os.stat(path)).st_mtime_ns, stat.st_size) for path in files]
    key = repr((sys.version, sys.implementation.cache_tag, about)).encode("utf-8", "surrogateescape")
    return f"shell-{__version__}-{_native.checksum(key):016x}"


def _frozen(modules: dict[str, str]) -> Frozen:
    """Compile the modules. Raises OSError and the errors of compiling."""
    import __future__

    import marshal

    frozen = {}
    for name, path in (*modules.items(), ("__future__", __future__.__file__)):
        with open(path, encoding="utf-8") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True, optimize=_WITHOUT_DOCSTRINGS)
        frozen[name] = (path, path.endswith("__init__.py"), marshal.dumps(code))
    return frozen
