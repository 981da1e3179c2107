"""Host operations: what JavaScript cannot do by itself, one module an area, each with its JavaScript half in `js/`.

An area's module has a function `operations(worker)` that returns its operations by name, each a callable or a pair of a
callable and its signature (`_native.Engine` says what signatures are). Areas are imported when JavaScript first calls one
of their operations; `names` lists them all, because the start-up snapshot must know the names.
"""
