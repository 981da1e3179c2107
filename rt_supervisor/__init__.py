"""rt: run JavaScript and TypeScript, and supervise the scripts of JavaScript monorepos.

Nothing is imported here: what a command needs, it imports when it needs it (`docs/architecture.md`).
"""

__version__ = "0.1.0"
NODE_VERSION = "26.3.0"  # the version of Node whose behaviour programs may expect
PEER_VERSION = "1.4.4"  # and that of the peer, for programs that ask `process.versions` how old it is
