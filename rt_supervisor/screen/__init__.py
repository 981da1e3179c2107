"""The full-screen display: a client of a running run, in a process of its own (`docs/screen.md`)."""
