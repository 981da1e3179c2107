"""The native module, `native/`: its whole surface and its documentation.

Errors are Python exceptions; no call panics. Functions that do real work release the GIL.
"""

# --- process.rs -------------------------------------------------------------------------------------------------

def become_subreaper() -> None:
    """Have orphaned descendants re-parented to this process. Raises OSError (Linux 3.4 and later have it)."""
