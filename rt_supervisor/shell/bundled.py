"""How a bundle of the shell begins (`start.shell_bundle` makes it): its modules are found in it before any folder is looked at.

This text is the bundle's first, with a `KEPT` that is filled. A module's code is read when the module is first imported.
"""

from __future__ import annotations

import sys
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

KEPT: dict[str, tuple[str, bool, bytes]] = {}  # module: its file, whether it is a package, its code


class Bundle:
    """Finder and loader (PEP 451) of the modules in `KEPT`; what else their packages hold is found in its folder."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        found = KEPT.get(name)
        if found is None:
            return None
        file, is_package, _ = found
        spec = _ModuleSpec(name, Bundle, origin=file, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [file.rpartition("/")[0]]
        return spec

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Have the interpreter make an ordinary module."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        exec(Bundle.get_code(module.__name__), module.__dict__)

    @staticmethod
    def get_code(name: str) -> CodeType:
        code: CodeType = loads(KEPT[name][2])
        return code


_ModuleSpec = type(sys.__spec__)  # importing importlib would cost what this saves
if __name__ == "__main__":
    sys.meta_path.insert(0, Bundle)
    from rt_supervisor.shell.script_process import main

    main()
