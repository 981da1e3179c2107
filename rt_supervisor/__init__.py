"""rt: run JavaScript and TypeScript, and supervise the scripts of JavaScript monorepos.

Nothing is imported here: what a command needs, it imports when it needs it (`docs/architecture.md`).
"""

__version__ = "0.1.0"
