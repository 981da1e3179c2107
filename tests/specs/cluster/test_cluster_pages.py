"""What the pages of a scheduler show of a run, as a browser sees them: the names of tasks, and no values of variables."""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import psutil
from clusters import RunCluster
from rig import Box

SECRET = "hunter2-of-a-variable"
ARGUMENT = "hunter2-of-an-argument"
STARTS = ("/", "/info", "/info/main/logs.html", "/json/index.html", "/metrics", "/health")
MOST_PAGES = 60


def pages_of(url: str) -> dict[str, str]:
    """Return the pages at `url` that links lead to, by address; those of errors, too."""
    pages: dict[str, str] = {}
    todo = [urllib.parse.urljoin(url, start) for start in STARTS]
    while todo and len(pages) < MOST_PAGES:
        at = todo.pop(0)
        if at in pages:
            continue
        try:
            with urllib.request.urlopen(at) as answer:
                text, base = answer.read().decode(errors="replace"), answer.geturl()
        except urllib.error.HTTPError as error:
            text, base = error.read().decode(errors="replace"), at
        pages[at] = text
        links = re.findall(r'href="([^"#]+)"', text) if "<html" in text else []
        found = [urllib.parse.urljoin(base, link.replace("&amp;", "&")) for link in links]
        todo += [link for link in found if link.startswith(url) and "/statics/" not in link]
    return pages


def test_a_cluster_on_loopback_listens_nowhere_else(cluster: RunCluster) -> None:
    """A worker of Dask runs the code that it is sent."""
    servers = [psutil.Process(server.process.pid) for server in cluster.servers]
    processes = [each for server in servers for each in (server, *server.children(recursive=True))]
    sockets = [one for each in processes for one in each.net_connections("inet") if one.status == psutil.CONN_LISTEN]
    assert len(sockets) >= len(cluster.servers)
    assert {one.laddr.ip for one in sockets} == {"127.0.0.1"}


def test_pages_show_tasks_by_name_and_no_secrets(cluster: RunCluster, tmp_path: Path, box: Box) -> None:
    go = tmp_path / "go"
    box.write(
        {
            "package.json": {"name": "root", "private": True, "workspaces": ["web"]},
            "web/package.json": {
                "name": "web-app",
                "scripts": {"work": "echo runs; while [ ! -e $GO ]; do sleep 0.01; done #"},
            },
            "rtfig.toml": '[tasks.work]\nenv = ["GO", "TOKEN"]\ncache = false\n',
        }
    )
    process = box.start(
        *("run", "--on", cluster.address, "--tasks", "--filter", "*", "work", "--", ARGUMENT),
        environment={"GO": str(go), "TOKEN": SECRET},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"web-app work: runs\n"
    pages = pages_of(cluster.pages)
    go.write_text("")
    process.communicate()
    assert process.returncode == 0
    assert any("/info/task/" in at for at in pages), list(pages)
    shown = " ".join(pages.values()).replace("\N{HYPHEN}", "-")
    assert "web-app#work" in shown
    assert SECRET not in shown and ARGUMENT not in shown
