"""How the launcher starts V8 before Python: the arguments of `native/src/v8/engine/early.rs`, and the files they depend
on.

A start image (`start/image.py`) stores both; the launcher uses them only while those files are unchanged.
"""

from __future__ import annotations

import os

from . import bundle, library


def describe_start(extension: str) -> tuple[list[str], list[str]]:
    """Return the arguments for `early.rs` and the files they depend on; both empty if no prepared library can be used.

    `extension` is the path of the native module.
    """
    folder = library.ready_folder()
    if folder is None:
        return [], []
    wheel = library.find()
    fields = [
        *(extension, os.path.join(folder, library.LIBRARY), folder, library.PROGRAM_FLAGS),
        *(str(library.PROGRAM_THREADS), bundle.JS_FOLDER, bundle.OPERATION_NAMES, str(library.LARGEST_HEAP_BYTES)),
        str(library.PREPARED_NS),
    ]
    sources = [os.path.join(wheel, name) for name in (library.LIBRARY, library.WHEEL_ICU_DATA)]
    sizes = [str(os.stat(path).st_size) for path in sources]
    fields += [sizes[0], os.path.join(folder, library.MAPPED_ICU_DATA), sizes[1]]
    return fields, sources
