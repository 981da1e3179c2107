"""What the debugger prints about itself: the banner, and the warning about addresses beyond this machine.

Editors and `rt inspect` find the WebSocket's URL in the line after `Listening:`, or, for a program that runs as `node`, in
Node's own line.
"""

from __future__ import annotations

RULE = "--------------------- rt inspector ---------------------"
NODE_HELP = "https://nodejs.org/learn/getting-started/debugging"
UI_VARIABLE = "RT_DEBUGGER_UI"
_LOOPBACK_NAMES = ("localhost", "ip6-localhost", "ip6-loopback")


def banner(url: str, ui: str = "") -> str:
    """Return the banner of a server at the WebSocket `url`. `ui` is the address of a page; "" is the server's own page."""
    place = url.removeprefix("ws://")
    page = ui or f"http://{place.partition('/')[0]}/"
    return f"{RULE}\nListening:\n  {url}\nInspect in browser:\n  {page}#{place}\n{RULE}\n"


def node_lines(url: str) -> str:
    """Return what Node prints of a server at the WebSocket `url`. Tools that start `node` search for the first line."""
    return f"Debugger listening on {url}\nFor help, see: {NODE_HELP}\n"


def warning(host: str) -> str:
    """Return the warning about listening on `host`; "" for an address that only this machine can reach."""
    if is_loopback(host):
        return ""
    return f"warn: the debugger listens on {host}: any host that can reach it can run code in this program\n"


def is_loopback(host: str) -> bool:
    """Return whether `host`, a name or an address with or without brackets, means this machine only."""
    from ipaddress import ip_address

    name = host.strip("[]").lower()
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return name in _LOOPBACK_NAMES
