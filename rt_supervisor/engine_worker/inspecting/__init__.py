"""The debugger of one engine: front ends that come over a WebSocket, and the program's own sessions.

`debugging` is the life of it and the one door for the rest of the engine worker, `protocol` what front ends are told that the
protocol has, `node_domains` the commands that Node has beside V8's. The server's thread is native (`native/src/inspecting`).
Imported when a flag, a signal or the program asks for it.
"""
