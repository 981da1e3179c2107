"""RT.RedisClient and RT.SQL with servers of Debian packages, which this file starts on loopback; skipped if not
installed.

The expected output is stored beside the programs; regenerate it with RT_WRITE_TABLES=1 and review the diff.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rig import Box

PROGRAMS = Path(__file__).parent / "databases"
POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if Path("/usr/lib/postgresql").is_dir() else []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def run_server(command: list[str], said: bytes, user: str | None = None) -> Iterator[None]:
    """Start a server and wait until it reports that it is ready."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, user=user) as server:
        try:
            assert server.stdout is not None
            log = b""
            for line in server.stdout:
                log += line
                if said in line:
                    break
            else:
                pytest.fail(log.decode())
            yield
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed (apt-get install redis-server)")
    port = free_port()
    words = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--requirepass", "secret"]
    with run_server(words, b"eady to accept connections"):
        yield f"redis://:secret@127.0.0.1:{port}"


@pytest.fixture(scope="module")
def database_url() -> Iterator[str]:
    if not POSTGRES:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    port = free_port()
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="rt-postgres-"))
    try:
        if user is not None:
            shutil.chown(folder, user)
        secret = folder / "password"
        secret.write_text("secret")
        secret.chmod(0o644)
        initialise = [str(POSTGRES[-1] / "initdb"), "-D", str(folder / "data"), "-U", "rt", "-A", "scram-sha-256"]
        initialise += [f"--pwfile={secret}", "--no-sync", "--no-instructions", "--encoding=UTF8", "--locale=C"]
        subprocess.run(initialise, check=True, user=user, capture_output=True)
        settings = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", "fsync=off"]
        serve = [str(POSTGRES[-1] / "postgres"), "-D", str(folder / "data")]
        with run_server([*serve, *(word for each in settings for word in ("-c", each))], b"ready to accept", user):
            yield f"postgres://rt:secret@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_table(box: Box, name: str, environment: dict[str, str]) -> None:
    program = PROGRAMS / f"{name}.mjs"
    result = box.run(str(program), env=box.environment(**environment))
    table = program.with_suffix(".txt")
    if os.environ.get("RT_WRITE_TABLES"):
        table.write_bytes(result.stdout)
    assert result.stdout.decode() == table.read_text(), result.stderr.decode()
    assert result.returncode == 0


def test_redis(box: Box, redis_url: str) -> None:
    check_table(box, "redis", {"REDIS_URL": redis_url})


def test_redis_restarts(box: Box) -> None:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed (apt-get install redis-server)")
    check_table(box, "redis_restarts", {"REDIS_SERVER": program, "REDIS_PORT": str(free_port())})


def test_sql(box: Box, database_url: str) -> None:
    check_table(box, "sql", {"DATABASE_URL": database_url})


def test_sql_listen_and_copy(box: Box, database_url: str) -> None:
    check_table(box, "sql_listen_and_copy", {"DATABASE_URL": database_url})


def test_the_environment_names_the_database(box: Box, database_url: str) -> None:
    port = database_url.split(":")[-1].split("/")[0]
    names = {"PGHOST": "127.0.0.1", "PGPORT": port, "PGUSER": "rt", "PGPASSWORD": "secret", "PGDATABASE": "postgres"}
    box.write({"asks.mjs": "console.log((await RT.sql`select current_database() as d`)[0].d)"})
    assert box.run("asks.mjs", env=box.environment(**names)).stdout == b"postgres\n"


def test_a_preconnected_client_is_warm(box: Box, redis_url: str, database_url: str) -> None:
    text = (
        "const until = async (ready) => { while (!ready()) await new Promise((resolve) => setTimeout(resolve, 1)); };\n"
        "await until(() => RT.redis.connected);\n"
        "const seen = await RT.redis.send('CLIENT', ['LIST', 'TYPE', 'normal']);\n"
        "const count = 'select count(*)::int c from pg_stat_activity where application_name = $1';\n"
        "const other = new RT.SQL(process.env.DATABASE_URL, { max: 1, connection: { application_name: 'other' } });\n"
        "while ((await other.unsafe(count, ['rt']))[0].c !== 1) await new Promise((resolve) => setTimeout(resolve, 1));\n"
        "await RT.sql`select 1`;\n"
        "console.log(seen.trim().split('\\n').length, (await other.unsafe(count, ['rt']))[0].c);\n"
    )
    box.write({"warm.mjs": text})
    environment = {"REDIS_URL": redis_url, "DATABASE_URL": database_url}
    result = box.run("--redis-preconnect", "--sql-preconnect", "warm.mjs", env=box.environment(**environment))
    assert (result.stdout, result.stderr) == (b"1 1\n", b"")


def test_a_dead_address_is_a_warning_and_does_not_hang(box: Box) -> None:
    port = free_port()
    environment = {
        "REDIS_URL": f"redis://:hidden@127.0.0.1:{port}",
        "DATABASE_URL": f"postgres://rt:hidden@127.0.0.1:{port}/x",
    }
    box.write({"runs.mjs": "console.log('runs')"})
    result = box.run("--redis-preconnect", "--sql-preconnect", "runs.mjs", env=box.environment(**environment))
    assert result.stdout == b"runs\n"
    for flag in ("redis", "sql"):
        words = f"warn: --{flag}-preconnect could not connect at 127.0.0.1:{port}: ECONNREFUSED"
        assert words in result.stderr.decode()
    assert b"hidden" not in result.stderr
    assert result.returncode == 0
