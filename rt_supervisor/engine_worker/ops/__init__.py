"""Host operations: the part of the library that JavaScript cannot implement, one module per area, each with its
counterpart in `js/`.

The module of an area has a function `operations(worker)` that returns its operations by name, each a callable or a pair
of a callable and its signature (see `_native.Engine`). Areas are imported when JavaScript first calls one of their
operations; `names` lists all operations, because the start-up snapshot must know their names.
"""
