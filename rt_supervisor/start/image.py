"""Start images: the modules that rt's starts import, compiled, in one file, with the settings that `site` would determine.

The launcher (`native/launcher/src/image.rs`) runs the interpreter on an image without `site`, while every file that the
image was built from is unchanged. A start that had no image, or imported a module that its image lacks, stores one when it has
ended. An image also contains the data needed to start V8 before the interpreter.
"""

from __future__ import annotations

import os
import sys

from .. import _native
from .dependencies import CLOCK_TICK_NS, dependencies
from .frozen_boot import LIBRARY, MODULE, MOST_MODULES, FrozenFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.machinery import ModuleSpec
    from typing import Any, TypeAlias

    from .frozen_file import Frozen

    V8Start: TypeAlias = Callable[[str], tuple[list[str], list[str]]]

_PACKAGE = __name__.partition(".")[0]
_MAIN = f"{_PACKAGE}.__main__"
_HARMLESS_HOOK = "_distutils_hack"  # the one line of .pth files that does not affect rt
_SITES = ("site-packages", "dist-packages")
# Ubuntu's sitecustomize: it reports crashes of programs that Ubuntu ships.
_HARMLESS_CUSTOMIZATION = {
    "try:",
    "import apport_python_hook",
    "except ImportError:",
    "pass",
    "else:",
    "apport_python_hook.install()",
}


def current_image() -> FrozenFinder | None:
    """Return the finder of the image that this process started from, if it did."""
    first: Any = sys.meta_path[0]
    # The class is compared by name: that of the finder was defined by the image's own code.
    return first if type(first).__name__ == FrozenFinder.__name__ and "knows_v8" in first.contents else None


def store(describe_v8_start: V8Start) -> None:
    """Store an image with every module that this process has imported, unless it started from one that contains them all.

    `describe_v8_start` is called if V8 was used: it takes the path of the native module and returns the arguments for
    `native/src/v8/engine/early.rs`, and the files that these depend on. Failures are ignored: the program has ended, and
    the next start is only slower.
    """
    image = current_image()
    if image is not None and image.is_complete:
        return
    try:
        _store(image, describe_v8_start)
    except Exception:
        if os.environ.get("RT_DEBUG_TRACEBACK"):
            raise


def _store(image: FrozenFinder | None, describe_v8_start: V8Start) -> None:
    modules: Frozen
    if image is not None:
        place, key = image.place, _key_of(image.record)
        paths, prefixes, plain = (image.contents[name] for name in ("paths", "prefixes", "plain"))
        settled_ns = image.started_ns
        modules = {
            name: (file, is_package, bytes(image.codes[start:end]))
            for name, (file, is_package, start, end) in image.modules.items()
        }
    elif dependencies.image is not None and _has_plain_site():
        place, key = dependencies.image.place, dependencies.image.words
        paths, prefixes, settled_ns = list(sys.path), (sys.prefix, sys.exec_prefix), dependencies.image.at_ns
        plain = getattr(sys.modules["__main__"], "__file__", None) or ""
        modules = {}
    else:
        return
    if not all(map(os.path.isabs, (*paths, plain, sys.executable))):
        return
    folder = os.path.dirname(place)
    if _native.cache_flaw(folder) is not None:
        return
    modules |= _imported_modules(room=MOST_MODULES - len(modules), without=modules)
    extension = sys.modules[MODULE].__file__
    knows_v8 = LIBRARY in sys.modules
    head_start, v8_files = describe_v8_start(extension or "") if knows_v8 else ([], [])
    files = [*_interpreter_files(), *_path_files(paths), plain, extension or "", *v8_files]
    files += [file for file, _, _ in modules.values()]
    identities = _native.identify([os.fsencode(path) for path in files], settled_ns - CLOCK_TICK_NS)
    if identities is None:
        return
    from ..vocabulary.extensions import EXTENSIONS
    from .cache_folder import MOST_IMAGES, evict
    from .decision import data, listed, number, text
    from .frozen_file import encode

    fields = [number(_native.START_FORMAT), data(key), text(sys.executable)]
    fields += [listed(map(text, EXTENSIONS)), listed(map(text, head_start)), data(identities)]
    contents = {"main": _MAIN, "paths": paths, "prefixes": prefixes, "plain": plain}
    file = encode(modules, b"".join(fields), **contents, extension=extension, knows_v8=knows_v8)
    _native.cache_put(place, file, is_durable=True)
    evict(folder, keep=place, most=MOST_IMAGES)


def _imported_modules(*, room: int, without: Frozen) -> Frozen:
    """Return up to `room` modules of rt that this process has imported, except those in `without`."""
    import marshal

    from . import frozen_boot  # noqa: F401 - the image depends on its file, too

    found: Frozen = {}
    for name, module in list(sys.modules.items()):
        if len(found) >= room or name in without or not (name == "__future__" or name.startswith(_PACKAGE)):
            continue
        spec: ModuleSpec | None = getattr(module, "__spec__", None)
        if spec is None or spec.loader is None or not spec.origin or not spec.origin.endswith(".py"):
            continue
        code = spec.loader.get_code(name)  # type: ignore[attr-defined]
        if code is not None:
            found[name] = (spec.origin, spec.submodule_search_locations is not None, marshal.dumps(code))
    return found


def _has_plain_site() -> bool:
    """Return whether `site` only set `sys.path`: no .pth file and no customization ran code."""
    if sys.flags.no_site or "usercustomize" in sys.modules:
        return False
    if custom := getattr(sys.modules.get("sitecustomize"), "__file__", None):
        with open(custom, encoding="utf-8", errors="surrogateescape") as file:
            lines = {line.partition("#")[0].strip() for line in file}
        if lines - {""} - _HARMLESS_CUSTOMIZATION:
            return False
    for path in _path_configurations(sys.path):
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            if any(line.startswith(("import ", "import\t")) and _HARMLESS_HOOK not in line for line in file):
                return False
    return True


def _path_configurations(paths: Iterable[str]) -> list[str]:
    found = []
    for folder in paths:
        if os.path.basename(folder) in _SITES and os.path.isdir(folder):
            found += [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".pth")]
    return found


def _interpreter_files() -> list[str]:
    folder = os.path.dirname(sys.executable)
    configurations = [os.path.join(place, "pyvenv.cfg") for place in (folder, os.path.dirname(folder))]
    return [sys.executable, os.path.realpath(sys.executable), *configurations]


def _path_files(paths: list[str]) -> list[str]:
    """Return the paths that determine where modules are found: folders that `site` reads, and places for another rt."""
    import site

    sites = [path for path in (*paths, site.getusersitepackages()) if os.path.basename(path) in _SITES]
    names = (_PACKAGE, f"{_PACKAGE}.py", "sitecustomize.py", "usercustomize.py")
    return [*sites, *_path_configurations(paths), *(os.path.join(path, name) for path in paths for name in names)]


def _key_of(record: bytes) -> bytes:
    length = int.from_bytes(record[4:8], "little")
    return record[8 : 8 + length]
