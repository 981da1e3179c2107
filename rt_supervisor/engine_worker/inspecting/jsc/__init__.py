"""The JavaScriptCore dialect of the debugger's protocol, which Bun's clients speak, translated to V8's and back.

One file per domain holds the table of its commands and the events that it makes from V8's. `session` carries messages
between a client and its V8 session; `table` describes commands; `remote_objects`, `positions` and `breakpoints` hold what
several domains translate. Translation happens in Python on the engine's thread, so it works while JavaScript is paused or
busy.
"""
