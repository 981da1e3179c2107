"""The debugger of one engine: front ends that connect over a WebSocket, and the program's own sessions.

`debugging` is its lifecycle and the only door for the rest of the engine worker; `protocol` is the list of domains for front
ends, `node_domains` the commands that Node adds to V8's. The server's thread is native (`native/src/inspecting`). Imported
when a flag, a signal or the program opens a debugger.
"""
