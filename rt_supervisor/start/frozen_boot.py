"""The first code of a file of frozen modules: a start image (`image`) or the shell bundle (`shell_bundle`).

The interpreter runs such a file as its script; at that time nothing else is imported. This code puts a finder for the
modules that follow it in the file before all others, and calls `main` of the module that the file is made for.
`frozen_file` describes and writes the files.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

    # By name: the file, whether it is a package, where its marshalled code begins and ends.
    Places = dict[str, tuple[str, bool, int, int]]

PACKAGE = "rt_supervisor"
MODULE = f"{PACKAGE}._native"
LIBRARY = f"{PACKAGE}.engine_worker.start.library"
MOST_MODULES = 200  # a start image is valid while the file of each is unchanged
TRAILER_BYTES = 16


class FrozenFinder:
    """Finds and loads the modules of a file of frozen modules (PEP 451); their code is read when they are imported."""

    def __init__(
        self, contents: "dict[str, Any]", codes: memoryview, record: bytes, place: str, started_ns: int
    ) -> None:
        """`contents` is what `frozen_file` has stored, `codes` the marshalled code of all modules."""
        from marshal import loads

        self.contents = contents
        self.modules: Places = contents["modules"]
        self.codes = codes
        self.record = record
        self.place = place
        self.started_ns = started_ns
        self.has_missed = False  # a module of rt was imported that is not in the file
        self._loads = loads
        self._make_spec: Any = type(sys.__spec__)  # importing importlib would cost what this saves

    @property
    def is_complete(self) -> bool:
        """Whether the image contains every module that this start imported, or as many as an image may contain."""
        is_whole = not self.has_missed or len(self.modules) >= MOST_MODULES
        return is_whole and (self.contents["knows_v8"] or LIBRARY not in sys.modules)

    def find_spec(self, name: str, path: object = None, target: object = None) -> "Any":
        extension = self.contents.get("extension") if name == MODULE else None
        if extension is not None:
            from _frozen_importlib_external import ExtensionFileLoader

            return self._spec(name, ExtensionFileLoader(name, extension), extension)
        found = self.modules.get(name)
        if found is None:
            self.has_missed = self.has_missed or name.startswith(PACKAGE)
            return None
        file, is_package = found[:2]
        spec = self._spec(name, self, file)
        if is_package:
            spec.submodule_search_locations = [file.rpartition("/")[0]]
        return spec

    def _spec(self, name: str, loader: object, file: str) -> "Any":
        spec = self._make_spec(name, loader, origin=file)
        spec.has_location = True
        return spec

    def create_module(self, spec: object) -> None:
        """Let the interpreter create an ordinary module."""

    def exec_module(self, module: "ModuleType") -> None:
        exec(self.get_code(module.__name__), module.__dict__)

    def get_code(self, name: str) -> "CodeType":
        _, _, start, end = self.modules[name]
        code: CodeType = self._loads(self.codes[start:end])
        return code


def _boot(place: str) -> "dict[str, Any]":
    """Read the file at `place` and put its finder before all others; return the contents of the file.

    Also called by native code that starts the interpreter inside a program.
    """
    import time
    from marshal import loads

    started_ns = time.time_ns()
    with open(place, "rb", 0) as file:
        data = memoryview(file.read())
    end = len(data) - TRAILER_BYTES
    length = int.from_bytes(data[end : end + 8], "little")
    record = bytes(data[end - length : end])
    start = end - length
    size = int.from_bytes(data[start - 8 : start], "little")
    contents, codes_size = loads(data[start - 8 - size : start - 8])
    codes = data[start - 8 - size - codes_size : start - 8 - size]
    finder = FrozenFinder(contents, codes, record, place, started_ns)
    sys.meta_path.insert(0, finder)
    if "paths" in contents:  # the paths that `site` would have set
        sys.path[:] = contents["paths"]
        sys.prefix, sys.exec_prefix = contents["prefixes"]
    return finder.contents


if __name__ == "__main__":
    __import__(_boot(sys.argv[0])["main"], fromlist=("main",)).main()
