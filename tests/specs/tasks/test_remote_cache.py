"""The remote cache: results that another machine has stored, servers that are slow, broken or hostile, and secrets."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
import os
import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from npm_packages import install
from remote_caches import LocalRemoteCache, serving
from rig import Box, wait_until

from rt_supervisor._native import zstd_compress, zstd_decompress
from rt_supervisor.tasks.artifact import MAGIC, pack
from rt_supervisor.tasks.store import Entry, Output, Store

VERSIONS = {"turborepo-remote-cache": "2.12.0"}
BUILD = "mkdir -p dist/empty && cp src/a.txt dist/out && chmod 755 dist/out && ln -sf out dist/link; echo building; echo error >&2"
FILES: dict[str, Any] = {
    "package.json": {"name": "root", "workspaces": ["p/*"]},
    "p/app/package.json": {"name": "app", "scripts": {"build": BUILD}},
    "p/app/src/a.txt": "one\n",
    "rtfig.toml": '[tasks.build]\ninputs = ["src/**"]\noutputs = ["dist/**"]\n',
}


@pytest.fixture
def remote() -> Iterator[LocalRemoteCache]:
    with serving() as cache:
        yield cache


def run(box: Box, url: str, *more: str, token: str = "secret-token", **environment: str) -> tuple[str, str]:
    """Run the build, which succeeds. Return what was printed."""
    result = box.run(
        "run", "--tasks", "build", *more, environment={"TURBO_API": url, "TURBO_TOKEN": token, **environment}
    )
    assert result.returncode == 0, result
    assert token not in (result.stdout + result.stderr).decode()
    return result.stdout.decode(), result.stderr.decode()


def forget(box: Box) -> None:
    """Remove the outputs and the local cache, as on another machine."""
    shutil.rmtree(box.folder / "p/app/dist", ignore_errors=True)
    for folder in box.folder.parent.rglob("tasks"):
        if (folder / "entries").is_dir() or (folder / "workspaces").is_dir():
            shutil.rmtree(folder)


def check_outputs(box: Box) -> None:
    dist = box.folder / "p/app/dist"
    assert (dist / "out").read_text() == "one\n"
    assert os.access(dist / "out", os.X_OK)
    assert os.readlink(dist / "link") == "out"
    assert (dist / "empty").is_dir()


# --- a real server


def test_a_result_comes_from_a_real_server(box: Box, tmp_path: Path) -> None:
    modules = install(tmp_path, VERSIONS)
    server = box.start(
        str(modules / "turborepo-remote-cache/dist/cli.js"),
        environment={
            "TURBO_TOKEN": "secret-token",
            "STORAGE_PATH": str(tmp_path / "stored"),
            "PORT": "0",
            "LOG_LEVEL": "info",
        },
    )
    assert server.stdout is not None
    lines = iter(server.stdout.readline, b"")
    url = next(json.loads(line)["message"].split()[-1] for line in lines if b"listening at http://127" in line)
    threading.Thread(target=lambda: list(lines), daemon=True).start()
    box.write(FILES)
    team = {"TURBO_TEAM": "team"}
    assert "cached" not in run(box, url, **team)[0]
    forget(box)
    stdout, stderr = run(box, url, **team)
    assert "app build: cached, saved" in stdout and "building" in stdout
    assert stderr == ""
    check_outputs(box)
    stats = box.run("cache", "stats", environment={"TURBO_API": url, "TURBO_TOKEN": "secret-token", **team})
    assert stats.stdout.decode().splitlines()[-1] == f"remote cache {url}: enabled"
    _, stderr = run(box, url, "--force", token="another", **team)
    assert stderr == (
        "warn: the remote cache is not used any more: the server refused the token (status 401; see TURBO_TOKEN)\n"
    )
    server.send_signal(signal.SIGTERM)
    server.wait()


# --- the protocol


def test_requests_carry_key_team_and_token_and_nothing_else(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES)
    run(box, remote.url, TURBO_TEAM="slug", TURBO_TEAMID="team_1", PRIVATE="do not send")
    assert remote.methods() == ["GET", "PUT"]
    ((key, (body, kept)),) = remote.artifacts.items()
    assert body.startswith(b"rt result 1\n")
    assert set(kept) == {"x-artifact-duration"} and kept["x-artifact-duration"].isdigit()
    for method, path, headers in remote.requests:
        assert path in (f"/v8/artifacts/{key}?teamId=team_1&slug=slug", "/v8/artifacts/events?teamId=team_1&slug=slug")
        assert headers["authorization"] == "Bearer secret-token"
        assert headers.keys() <= {
            "host", "authorization", "user-agent", "accept-encoding", "content-type", "content-length", "x-artifact-duration",
        }, method  # fmt: skip
    assert not any(b"do not send" in body or b"secret-token" in body for body in remote.bodies)
    events = [json.loads(body) for body in remote.bodies if body.startswith(b"[")]
    assert events == [[{"source": "REMOTE", "event": "MISS", "hash": key, "duration": 0}]]


def test_a_result_is_restored_and_replayed(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES)
    run(box, remote.url)
    forget(box)
    stdout, stderr = run(box, remote.url, "--summarize", "summary.json")
    assert "app build: building\n" in stdout and "app build: cached, saved" in stdout and stderr == ""
    check_outputs(box)
    (task,) = json.loads((box.folder / "summary.json").read_text())["tasks"]
    assert (task["cache"], task["source"]) == ("hit", "remote")
    assert remote.methods() == ["GET", "PUT", "GET"]
    assert "cached" in run(box, remote.url)[0]  # the local cache has it now
    assert remote.methods() == ["GET", "PUT", "GET"]


@pytest.mark.parametrize(
    ("modes", "first", "second"),
    [
        ("local:rw,remote:rw", ["GET", "PUT"], ["GET"]),
        ("remote:rw", ["GET", "PUT"], ["GET"]),
        ("local:w,remote:r", ["GET"], ["GET"]),
        ("local:r,remote:w", ["PUT"], ["PUT"]),
        ("remote:r,local:", ["GET"], ["GET"]),
        ("local:rw", [], []),
    ],
)
def test_modes(box: Box, remote: LocalRemoteCache, modes: str, first: list[str], second: list[str]) -> None:
    box.write(FILES)
    run(box, remote.url, f"--cache={modes}")
    assert remote.methods() == first
    forget(box)
    remote.requests.clear()
    stdout, _ = run(box, remote.url, f"--cache={modes}")
    assert remote.methods() == second
    assert ("cached" in stdout) == ("PUT" in first and "GET" in second)
    check_outputs(box)
    left = list(box.folder.parent.rglob("exchange-*"))
    assert left == []


def test_a_mode_that_does_not_exist(box: Box) -> None:
    box.write(FILES)
    for modes in ("local", "remote:x", "local:r,local:w", "disk:r"):
        result = box.run("run", "--tasks", f"--cache={modes}", "build")
        assert (result.returncode, result.stderr.startswith(f"error: --cache={modes}: must be".encode())) == (1, True)


def test_the_dry_run_asks_and_downloads_nothing(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES)
    run(box, remote.url)
    forget(box)
    remote.requests.clear()
    stdout, _ = run(box, remote.url, "--dry-run")
    assert "the remote cache has the result" in stdout
    assert remote.methods() == ["HEAD"]
    assert not (box.folder / "p/app/dist").exists()


@pytest.mark.parametrize("kind", ["turbo.json", "rtfig.toml"])
def test_settings_of_the_workspace(box: Box, remote: LocalRemoteCache, kind: str) -> None:
    box.write(FILES)
    if kind == "turbo.json":
        (box.folder / "rtfig.toml").unlink()
        task = {"inputs": ["src/**"], "outputs": ["dist/**"]}
        settings = {"apiUrl": remote.url, "teamId": "team_2", "signature": True, "timeout": 20, "preflight": False}
        box.write({"turbo.json": {"tasks": {"build": task}, "remoteCache": settings}})
    else:
        text = f'\n[remoteCache]\napiUrl = "{remote.url}"\nteamId = "team_2"\nsignature = true\ntimeout = "20s"\n'
        box.write({"rtfig.toml": FILES["rtfig.toml"] + text})
    environment = {"TURBO_TOKEN": "token"}
    result = box.run("run", "--tasks", "build", environment=environment)
    assert result.stderr == (
        b"error: results of the remote cache are signed: set TURBO_REMOTE_CACHE_SIGNATURE_KEY to the key\n"
    )
    environment["TURBO_REMOTE_CACHE_SIGNATURE_KEY"] = "key"
    assert box.run("run", "--tasks", "build", environment=environment).returncode == 0
    assert remote.methods() == ["GET", "PUT"]
    assert all(path.endswith("?teamId=team_2") for _, path, _ in remote.requests)
    ((key, (body, kept)),) = remote.artifacts.items()
    tag = base64.b64encode(hmac.digest(b"key", key.encode() + b"team_2" + body, hashlib.sha256)).decode()
    assert kept["x-artifact-tag"] == tag


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("signatures = true", 'rtfig.toml:6: unknown setting "signatures" of remoteCache; did you mean "signature"?'),
        ("signature = 1", 'rtfig.toml:6: "signature" of remoteCache must be true or false'),
        (
            'timeout = "soon"',
            'rtfig.toml:6: "timeout" of remoteCache must be a number of milliseconds, or a text such as',
        ),
    ],
)
def test_invalid_settings(box: Box, settings: str, problem: str) -> None:
    box.write(FILES | {"rtfig.toml": FILES["rtfig.toml"] + f"\n[remoteCache]\n{settings}\n"})
    result = box.run("run", "--tasks", "build")
    assert (result.returncode, result.stderr.decode().startswith(f"error: {problem}")) == (1, True), result


def test_disabled_without_a_token_or_by_the_workspace(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES | {"rtfig.toml": FILES["rtfig.toml"] + "\n[remoteCache]\nenabled = false\n"})
    assert run(box, remote.url)[1] == ""
    result = box.run("run", "--tasks", "--cache=remote:rw", "build", environment={"TURBO_API": remote.url})
    assert result.stderr == (
        b"error: --cache requests the remote cache, which is disabled or has no token: set TURBO_TOKEN\n"
    )
    assert remote.requests == []


# --- servers that do not work


@pytest.mark.parametrize("status", [400, 401, 403, 409, 429, 500, 503])
def test_errors_of_the_server_never_fail_a_run(box: Box, remote: LocalRemoteCache, status: int) -> None:
    box.write(FILES)
    for method in ("GET", "PUT"):
        remote.answer = lambda each, _, method=method: (status, {}, b"no") if each == method else None  # type: ignore[misc]
        _, stderr = run(box, remote.url, "--force" if method == "PUT" else "--cache=local:w,remote:rw")
        assert stderr.count("warn: ") == 1 and f"status {status}" in stderr
        check_outputs(box)


def test_a_server_that_never_answers_costs_its_timeout_once(box: Box) -> None:
    """Ten tasks in a row: each would wait for the timeout."""
    listener = socket.create_server(("127.0.0.1", 0))
    names = [f"t{number}" for number in range(10)]
    tasks = "".join(
        f"[tasks.{name}]\noutputs = []\ndependsOn = {json.dumps(names[:place][-1:])}\n"
        for place, name in enumerate(names)
    )
    box.write({"package.json": {"name": "app", "scripts": dict.fromkeys(names, "true")}, "rtfig.toml": tasks})
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    environment = {"TURBO_API": url, "TURBO_TOKEN": "token", "TURBO_REMOTE_CACHE_TIMEOUT": "1.5"}
    process = box.start("run", "--tasks", names[-1], environment=environment)
    connection, _ = listener.accept()
    stdout, stderr = process.communicate()
    connection.close()
    listener.settimeout(0)
    with pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()
    assert process.returncode == 0 and stdout.count(b": Exited with code 0\n") == 10
    assert stderr.count(b"warn: ") == 1
    assert b"the answer was not complete after 1.5 seconds" in stderr


def test_a_server_that_is_not_there(box: Box) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    listener.close()
    box.write(FILES)
    _, stderr = run(box, url)
    assert stderr.count("warn: ") == 1 and "connection refused" in stderr


def test_ctrl_c_waits_for_no_transfer(box: Box) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    box.write(FILES)
    environment = {"TURBO_API": f"http://127.0.0.1:{listener.getsockname()[1]}", "TURBO_TOKEN": "token"}
    process = box.start("run", "--tasks", "build", environment=environment)
    connection, _ = listener.accept()
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == -signal.SIGINT
    connection.close()
    listener.close()
    box.await_nothing_left()


def test_a_redirect_to_another_host_loses_the_token(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES)
    with serving() as other:
        run(box, remote.url)
        other.artifacts.update(remote.artifacts)
        forget(box)
        target = other.url.replace("127.0.0.1", "localhost")
        remote.answer = lambda method, path: (307, {"Location": f"{target}{path}"}, b"") if method == "GET" else None
        assert "cached" in run(box, remote.url)[0]
        ((method, _, headers),) = other.requests
        assert method == "GET" and "authorization" not in headers


# --- hostile servers


@pytest.mark.parametrize("way", ["wrong", "missing", "invalid", "of another key"])
def test_a_wrong_signature_is_a_miss(box: Box, remote: LocalRemoteCache, way: str) -> None:
    box.write(FILES | {"rtfig.toml": FILES["rtfig.toml"] + "\n[remoteCache]\nsignature = true\n"})
    key = {"TURBO_REMOTE_CACHE_SIGNATURE_KEY": "key"}
    run(box, remote.url, **key)
    ((digest, (body, kept)),) = remote.artifacts.items()
    tags = {
        "wrong": base64.b64encode(bytes(32)).decode(),
        "invalid": "no base64!",
        "of another key": kept["x-artifact-tag"],
    }
    remote.artifacts[digest] = (body, {"x-artifact-tag": tags[way]} if way in tags else {})
    forget(box)
    other_key = {"TURBO_REMOTE_CACHE_SIGNATURE_KEY": "other"} if way == "of another key" else key
    stdout, stderr = run(box, remote.url, "--cache=local:rw,remote:r", **other_key)
    assert "cached" not in stdout
    words = "it has no signature" if way == "missing" else "its signature is wrong"
    assert stderr == f"warn: the result of app#build from the remote cache is not used: {words}\n"


def test_a_signed_result_is_used(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES | {"rtfig.toml": FILES["rtfig.toml"] + "\n[remoteCache]\nsignature = true\n"})
    key = {"TURBO_REMOTE_CACHE_SIGNATURE_KEY": "key"}
    run(box, remote.url, **key)
    forget(box)
    assert "cached" in run(box, remote.url, **key)[0]
    check_outputs(box)


def test_truncated_and_longer_results_are_misses(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES)
    run(box, remote.url)
    ((digest, (body, kept)),) = remote.artifacts.items()
    wrong = [b"", body[:5], body[:40], body[:-1], body[: len(body) // 2], body + b"more", bytes(len(body))]
    for data in (*wrong, body[:-3] + bytes([body[-3] ^ 255]) + body[-2:]):
        remote.artifacts[digest] = (data, kept)
        forget(box)
        stdout, stderr = run(box, remote.url, "--cache=local:rw,remote:r")
        assert "cached" not in stdout
        assert stderr.startswith("warn: the result of app#build from the remote cache is not used: "), data
        check_outputs(box)


def test_an_answer_that_ends_early_or_never_ends(box: Box, remote: LocalRemoteCache) -> None:
    box.write(FILES)
    remote.answer = lambda method, _: (200, {"Content-Length": "1000"}, b"rt result 1\n") if method == "GET" else None
    _, stderr = run(box, remote.url, TURBO_REMOTE_CACHE_TIMEOUT="2")
    assert stderr.count("warn: ") == 1 and "the remote cache is not used any more" in stderr
    check_outputs(box)


def hostile(key: str, tmp_path: Path, head: dict[str, Any]) -> bytes:
    """Return an artifact with one small file, as `pack` writes it; `head` replaces parts of its head."""
    store = Store(str(tmp_path / "hostile"))
    frame = store.frame(store.put_file(b"evil"))
    target = io.BytesIO()
    pack(key, Entry((), (evil("p/app/dist/x"),), 0.1), store, target)
    body = target.getvalue()
    start = len(MAGIC) + 16
    sizes = [int.from_bytes(body[place : place + 8], "little") for place in (start - 16, start - 8)]
    plain = zstd_decompress(body[start : start + sizes[0]], sizes[1])
    assert plain is not None
    changed = json.dumps({**json.loads(plain), **head}).encode()
    packed = zstd_compress(changed, 3)
    return MAGIC + len(packed).to_bytes(8, "little") + len(changed).to_bytes(8, "little") + packed + frame


DIGEST = hashlib.blake2b(b"evil", digest_size=20).hexdigest()


def evil(path: str, mode: int = 0o644) -> Output:
    return Output(path, "file", mode, DIGEST, 4)


@pytest.mark.parametrize(
    ("outputs", "problem"),
    [
        ([evil("../outside")], "'../outside' is not an output of the task"),
        ([evil("p/app/dist/../../outside")], "'p/app/dist/../../outside' is not a path in the workspace"),
        ([evil("/etc/outside")], "'/etc/outside' is not an output of the task"),
        ([evil("p/app/src/a.txt")], "'p/app/src/a.txt' is not an output of the task"),
        ([evil("p/app/dist//x")], "'p/app/dist//x' is not a path in the workspace"),
        (
            [Output("p/app/dist/l", "link", 0, "../../../../outside", 0)],
            "the link 'p/app/dist/l' leads out of the workspace",
        ),
        ([Output("p/app/dist/l", "link", 0, "/etc", 0)], "the link 'p/app/dist/l' leads out of the workspace"),
        (
            [Output("p/app/dist/l", "link", 0, "../src", 0), evil("p/app/dist/l/a.txt")],
            "'p/app/dist/l/a.txt' lies below a file or link",
        ),
        ([evil("p/app/dist/x"), evil("p/app/dist/x")], "it has a path twice"),
        ([evil("p/app/dist/x", 0o4755)], "an output is neither a file, a folder nor a link with usual permissions"),
        (
            [Output("p/app/dist/x", "device", 0o644, "", 0)],
            "an output is neither a file, a folder nor a link with usual permissions",
        ),
        ([Output("p/app/dist/x", "file", 0o644, DIGEST, 1 << 40)], "it is too large"),
    ],
)
def test_hostile_results_change_nothing(
    box: Box, remote: LocalRemoteCache, tmp_path: Path, outputs: list[Output], problem: str
) -> None:
    box.write(FILES)
    run(box, remote.url)
    ((digest, _),) = remote.artifacts.items()
    listed = [[each.path, each.kind, each.mode, each.content, each.size] for each in outputs]
    remote.artifacts[digest] = (hostile(digest, tmp_path, {"outputs": listed}), {})
    forget(box)
    stdout, stderr = run(box, remote.url, "--cache=local:rw,remote:r")
    assert "cached" not in stdout
    assert stderr == f"warn: the result of app#build from the remote cache is not used: {problem}\n"
    check_outputs(box)
    assert sorted(path.name for path in (box.folder / "p/app/dist").iterdir()) == ["empty", "link", "out"]
    assert (box.folder / "p/app/src/a.txt").read_text() == "one\n"
    assert not (box.folder / "outside").exists() and not (box.folder.parent / "outside").exists()


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ({"key": "another"}, "it is the result of another task"),
        ({"format": 2}, "it is the result of another task"),
        ({"files": []}, "its list of files is not that of its outputs"),
        ({"files": [[DIGEST, 10**12, 4]]}, "a file has another size than its output"),
        ({"files": [[DIGEST, -1, 4]]}, "a file has another size than its output"),
        ({"seconds": "long"}, "its duration is not a number"),
        ({"log": [[0, 3, ""]]}, "its output is invalid"),
        ({"log": [[0, 1, "%"]]}, "its output is invalid"),
        ({"outputs": "none"}, 'it has no "outputs"'),
    ],
)
def test_invalid_heads_are_misses(
    box: Box, remote: LocalRemoteCache, tmp_path: Path, head: dict[str, Any], problem: str
) -> None:
    box.write(FILES)
    run(box, remote.url)
    ((digest, _),) = remote.artifacts.items()
    remote.artifacts[digest] = (hostile(digest, tmp_path, head), {})
    forget(box)
    _, stderr = run(box, remote.url, "--cache=local:rw,remote:r")
    assert stderr == f"warn: the result of app#build from the remote cache is not used: {problem}\n"


def test_another_content_than_its_digest_says_is_a_miss(box: Box, remote: LocalRemoteCache, tmp_path: Path) -> None:
    """The frame of the file is that of other data of the same size; a declared size that is too small is a bomb."""
    box.write(FILES)
    run(box, remote.url)
    ((digest, _),) = remote.artifacts.items()
    body = hostile(digest, tmp_path, {})
    bomb = Store(str(tmp_path / "bomb"))
    frames = {data: bomb.frame(bomb.put_file(data)) for data in (b"evil", b"good", bytes(64 << 20))}
    for data, words in ((b"good", "a file has another content than its digest says"), (bytes(64 << 20), "")):
        wrong = body.removesuffix(frames[b"evil"]) + frames[data]
        assert wrong != body
        remote.artifacts[digest] = (wrong, {})
        forget(box)
        stdout, stderr = run(box, remote.url, "--cache=local:rw,remote:r")
        assert "cached" not in stdout and "is not used: " + words in stderr


def test_a_link_that_leads_outside_is_not_sent(box: Box, remote: LocalRemoteCache) -> None:
    manifest = {"name": "app", "scripts": {"build": "mkdir -p dist && ln -sf /etc dist/link"}}
    box.write(FILES | {"p/app/package.json": manifest})
    _, stderr = run(box, remote.url)
    assert stderr == (
        "warn: the result of app#build is not sent to the remote cache: the link p/app/dist/link leads out of the workspace\n"
    )
    assert remote.methods() == ["GET"]
    assert "cached" in run(box, remote.url)[0]


def test_an_upload_does_not_hold_up_the_tasks(box: Box, remote: LocalRemoteCache) -> None:
    """The server answers the first upload only once the second task has run."""
    scripts = {"first": "true", "second": "touch second"}
    toml = '[tasks.first]\noutputs = []\n[tasks.second]\ninputs = []\noutputs = []\ndependsOn = ["first"]\n'
    box.write({"package.json": {"name": "app", "scripts": scripts}, "rtfig.toml": toml})

    def answer(method: str, _: str) -> None:
        if method == "PUT":
            wait_until(lambda: (box.folder / "second").exists(), "the second task ran")

    remote.answer = answer
    result = box.run("run", "--tasks", "second", environment={"TURBO_API": remote.url, "TURBO_TOKEN": "token"})
    assert result.returncode == 0
    assert sorted(remote.methods()) == ["GET", "GET", "PUT", "PUT"]
