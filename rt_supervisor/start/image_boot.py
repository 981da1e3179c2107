"""The first code of a start image: the interpreter runs it out of the image (`image`), without `site`, and nothing is imported yet.

It sets what `site` would have set, has rt's modules come out of the image, and runs rt.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

    Kept = dict[str, tuple[str, bool, bytes]]  # by name: the file, whether it is a package, the marshalled code
    Places = dict[str, tuple[str, bool, int, int]]  # the same, with where the code begins and ends

PACKAGE = "rt_supervisor"
MODULE = f"{PACKAGE}._native"
LIBRARY = f"{PACKAGE}.engine_worker.start.library"
MOST_MODULES = 200  # each is looked at whenever rt starts
TRAILER_BYTES = 16


class ImageFinder:
    """Finds and loads the modules that are in the image."""

    def __init__(
        self, content: "tuple[Any, ...]", codes: memoryview, evidence: bytes, place: str, started_ns: int
    ) -> None:
        """`codes` holds the marshalled code of all modules: that of a module is read when it is imported."""
        from marshal import loads

        self.modules: Places
        self.paths, self.prefixes, self.plain, self.modules, self.extension, self.knows_v8 = content
        self.codes = codes
        self.evidence = evidence
        self.place = place
        self.started_ns = started_ns
        self.missed = False  # a module of rt was asked for that is not in it
        self._loads = loads
        self._make_spec: Any = type(sys.__spec__)

    @property
    def serves(self) -> bool:
        """Whether the image held all that this start needed, or as much as an image may hold."""
        is_whole = not self.missed or len(self.modules) >= MOST_MODULES
        return is_whole and (self.knows_v8 or LIBRARY not in sys.modules)

    def find_spec(self, name: str, path: object = None, target: object = None) -> "Any":
        if name == MODULE:
            from _frozen_importlib_external import ExtensionFileLoader

            return self._spec(name, ExtensionFileLoader(name, self.extension), self.extension)
        kept = self.modules.get(name)
        if kept is None:
            self.missed = self.missed or name.startswith(PACKAGE)
            return None
        file, is_package = kept[:2]
        spec = self._spec(name, self, file)
        if is_package:
            spec.submodule_search_locations = [file.rpartition("/")[0]]
        return spec

    def _spec(self, name: str, loader: object, file: str) -> "Any":
        spec = self._make_spec(name, loader, origin=file)
        spec.has_location = True
        return spec

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: "ModuleType") -> None:
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name: str) -> "CodeType":
        _, _, start, end = self.modules[name]
        code: CodeType = self._loads(self.codes[start:end])
        return code


def _boot(place: str) -> None:
    import time
    from marshal import loads

    started_ns = time.time_ns()
    with open(place, "rb", 0) as file:
        data = memoryview(file.read())
    end = len(data) - TRAILER_BYTES
    length = int.from_bytes(data[end : end + 8], "little")
    evidence = bytes(data[end - length : end])
    start = end - length
    size = int.from_bytes(data[start - 8 : start], "little")
    content, codes_size = loads(data[start - 8 - size : start - 8])
    codes = data[start - 8 - size - codes_size : start - 8 - size]
    finder = ImageFinder(content, codes, evidence, place, started_ns)
    sys.path[:] = finder.paths
    sys.prefix, sys.exec_prefix = finder.prefixes
    sys.meta_path.insert(0, finder)


if __name__ == "__main__":
    _boot(sys.argv[0])
    __import__(f"{PACKAGE}.__main__", fromlist=("main",)).main()  # as the plain script does
