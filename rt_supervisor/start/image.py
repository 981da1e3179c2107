"""Start images: what starts of rt import, compiled, in one file that the interpreter runs, with what `site` would find out.

The launcher (`native/launcher/src/image.rs`) runs the interpreter on an image without `site`, while every file that went
into it is what it was; `image_boot` is the image's first code. A start that had no image, or missed a module in it,
keeps one when it has ended. An image also says what is needed to start V8 before the interpreter.
"""

from __future__ import annotations

import os
import sys

from .. import _native
from .dependencies import CLOCK_TICK_NS, evidence
from .image_boot import LIBRARY, MODULE, MOST_MODULES, ImageFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.machinery import ModuleSpec
    from typing import Any, TypeAlias

    from .image_boot import Kept, Places

    V8Start: TypeAlias = Callable[[str], tuple[list[str], list[str]]]

FORMAT = 1  # of native/launcher/src/image.rs
MOST_IMAGES = 8
_PACKAGE = __name__.partition(".")[0]
_PYC_HEAD_BYTES = 16
_KNOWN_HOOK = "_distutils_hack"  # the one line of .pth files that changes nothing for rt
_SITES = ("site-packages", "dist-packages")
# What Ubuntu's interpreters run: it reports crashes of programs that Ubuntu ships.
_KNOWN_CUSTOMS = {
    "try:",
    "import apport_python_hook",
    "except ImportError:",
    "pass",
    "else:",
    "apport_python_hook.install()",
}


def keep(v8_start: V8Start) -> None:
    """Write an image for the next start, with all that this one has imported; failures are ignored.

    `v8_start` is called when V8 was used: it takes the path of the native module and returns what the launcher passes to
    `native/src/v8/engine/early.rs`, and the files that this depends on.
    """
    try:
        _keep(_finder(), v8_start)
    except Exception:  # whatever it is: the program has ended, and the next start is only slower
        if os.environ.get("RT_DEBUG_TRACEBACK"):
            raise


def _finder() -> ImageFinder | None:
    first: Any = sys.meta_path[0]
    return first if type(first).__name__ == ImageFinder.__name__ else None  # the class itself is the image's own


def _keep(finder: ImageFinder | None, v8_start: V8Start) -> None:
    if finder is not None:
        place, key = finder.place, _key_of(finder.evidence)
        paths, prefixes, plain, settled_ns = finder.paths, finder.prefixes, finder.plain, finder.started_ns
        kept = finder.modules.items()
        modules = {name: (file, is_package, bytes(finder.codes[a:b])) for name, (file, is_package, a, b) in kept}
    elif evidence.image is not None and _has_plain_site():
        place, key = evidence.image.place, evidence.image.words
        paths, prefixes, settled_ns = list(sys.path), (sys.prefix, sys.exec_prefix), evidence.image.at_ns
        plain = getattr(sys.modules["__main__"], "__file__", None) or ""
        modules = {}
    else:
        return
    if not all(map(os.path.isabs, (*paths, plain, sys.executable))):
        return
    folder = os.path.dirname(place)
    if _native.cache_flaw(folder) is not None:
        return
    modules |= _modules(room=MOST_MODULES - len(modules), but=modules)
    extension = sys.modules[MODULE].__file__
    head_start, v8_files = v8_start(extension or "") if LIBRARY in sys.modules else ([], [])
    files = [*_interpreter_files(), *_path_files(paths), plain, extension or "", *v8_files]
    files += [file for file, _, _ in modules.values()]
    identities = _native.identify_evidence([os.fsencode(path) for path in files], settled_ns - CLOCK_TICK_NS)
    if identities is None:
        return
    from ..vocabulary.extensions import EXTENSIONS
    from .cache_folder import evict
    from .decision import data, listed, number, text

    fields = [number(FORMAT), data(key), text(sys.executable)]
    fields += [listed(map(text, EXTENSIONS)), listed(map(text, head_start)), data(identities)]
    codes = b"".join(code for _, _, code in modules.values())
    content = (paths, prefixes, plain, _places(modules), extension, LIBRARY in sys.modules)
    _native.cache_put(place, _image(content, codes, b"".join(fields)), is_durable=True)
    evict(folder, keep=place, most=MOST_IMAGES)


def _places(modules: Kept) -> Places:
    places, at = {}, 0
    for name, (file, is_package, code) in modules.items():
        places[name] = (file, is_package, at, at + len(code))
        at += len(code)
    return places


def _image(content: Any, codes: bytes, about: bytes) -> bytes:
    """Return the image: compiled `image_boot`, what it reads, and what the launcher reads."""
    import marshal
    from importlib.util import MAGIC_NUMBER

    from . import image_boot

    code = image_boot.__spec__.loader.get_code(image_boot.__name__)  # type: ignore[union-attr]
    kept = marshal.dumps((content, len(codes)))
    head = MAGIC_NUMBER + bytes(_PYC_HEAD_BYTES - len(MAGIC_NUMBER)) + marshal.dumps(code)
    sum_of_it = _native.checksum(about).to_bytes(8, "little")
    return b"".join(
        (head, codes, kept, len(kept).to_bytes(8, "little"), about, len(about).to_bytes(8, "little"), sum_of_it)
    )


def _modules(*, room: int, but: Kept) -> Kept:
    """Return rt's modules that this process has imported, as many as `room`."""
    import marshal

    from . import image_boot  # noqa: F401 - the image is made of it, too

    found: Kept = {}
    for name, module in list(sys.modules.items()):
        if len(found) >= room or name in but or not (name == "__future__" or name.startswith(_PACKAGE)):
            continue
        spec: ModuleSpec | None = getattr(module, "__spec__", None)
        if spec is None or spec.loader is None or not spec.origin or not spec.origin.endswith(".py"):
            continue
        code = spec.loader.get_code(name)  # type: ignore[attr-defined]
        if code is not None:
            found[name] = (spec.origin, spec.submodule_search_locations is not None, marshal.dumps(code))
    return found


def _has_plain_site() -> bool:
    """Whether `site` did nothing but to make `sys.path`: no hooks, no code of somebody else's."""
    if sys.flags.no_site or "usercustomize" in sys.modules:
        return False
    if custom := getattr(sys.modules.get("sitecustomize"), "__file__", None):
        with open(custom, encoding="utf-8", errors="surrogateescape") as file:
            lines = {line.partition("#")[0].strip() for line in file}
        if lines - {""} - _KNOWN_CUSTOMS:
            return False
    for path in _path_configurations(sys.path):
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            if any(line.startswith(("import ", "import\t")) and _KNOWN_HOOK not in line for line in file):
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
    """What decides where modules are found: folders that `site` reads, and places where another rt might come to lie."""
    import site

    sites = [path for path in (*paths, site.getusersitepackages()) if os.path.basename(path) in _SITES]
    names = (_PACKAGE, f"{_PACKAGE}.py", "sitecustomize.py", "usercustomize.py")
    return [*sites, *_path_configurations(paths), *(os.path.join(path, name) for path in paths for name in names)]


def _key_of(about: bytes) -> bytes:
    length = int.from_bytes(about[4:8], "little")
    return about[8 : 8 + length]
