"""Trusted certificates: each flag and environment variable, tested with an authority created by the test."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from rig import Box

SERVE_AND_ASK = """
const { readFileSync } = require('node:fs');
const https = require('node:https');
const server = https.createServer({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }, (_, answer) => answer.end('hello'));
server.listen(0, async () => {
  const { port } = server.address();
  const get = await new Promise((resolve) => {
    https.get({ host: 'localhost', port, agent: false }, (answer) => { answer.resume(); resolve('trusted'); }).on('error', ({ code }) => resolve(code));
  });
  const fetched = await fetch(`https://localhost:${port}/`).then(() => 'trusted', ({ cause }) => cause.code);
  console.log(get === fetched ? get : `${get} but fetch: ${fetched}`);
  process.exit();
});
"""
IN_A_WORKER = "const { Worker } = require('node:worker_threads'); new Worker('./main.cjs');"
UNTRUSTED = "UNABLE_TO_VERIFY_LEAF_SIGNATURE"


def openssl(*arguments: str, folder: Path) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def made(box: Box) -> Box:
    """Create a box with an authority, its certificate for localhost, and a program that serves and sends requests."""
    if shutil.which("openssl") is None:
        pytest.skip("certificates are made with the openssl command, which is not there")
    folder = box.folder
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *new_key, "-keyout", "ca-key.pem", "-out", "ca.pem", "-subj", "/CN=rt test", folder=folder)
    openssl("req", *new_key, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=localhost", folder=folder)
    box.write(
        {"names": "subjectAltName=DNS:localhost", "main.cjs": SERVE_AND_ASK, "worker.cjs": IN_A_WORKER, "empty.pem": ""}
    )
    signing = ["-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial", "-extfile", "names"]
    openssl("x509", "-req", "-in", "request.pem", *signing, "-out", "cert.pem", folder=folder)
    (folder / "folder").mkdir()
    shutil.copy(folder / "ca.pem", folder / "folder" / "authority.pem")
    return box


def request_outcome(box: Box, *arguments: str, **environment: str) -> str:
    result = box.run(*arguments, environment=environment)
    assert result.returncode == 0, result.stderr
    return result.stdout.decode().strip()


@pytest.mark.parametrize(
    ("flag", "variable", "expected"),
    [
        ("", "", UNTRUSTED),
        ("--use-bundled-ca", "", UNTRUSTED),
        ("--use-system-ca", "", UNTRUSTED),
        ("--use-openssl-ca", "", UNTRUSTED),
        ("", "SSL_CERT_FILE=ca.pem", UNTRUSTED),
        ("--use-bundled-ca", "SSL_CERT_FILE=ca.pem", UNTRUSTED),
        ("--use-system-ca", "SSL_CERT_FILE=ca.pem", "trusted"),
        ("--use-openssl-ca", "SSL_CERT_FILE=ca.pem", "trusted"),
        ("--use-bundled-ca", "SSL_CERT_DIR=folder", UNTRUSTED),
        ("--use-system-ca", "SSL_CERT_DIR=folder", "trusted"),
        ("--use-openssl-ca", "SSL_CERT_DIR=empty:folder", "trusted"),
        ("", "NODE_EXTRA_CA_CERTS=ca.pem", "trusted"),
        ("--use-bundled-ca", "NODE_EXTRA_CA_CERTS=ca.pem", "trusted"),
        ("--use-system-ca", "NODE_EXTRA_CA_CERTS=ca.pem", "trusted"),
        ("--use-openssl-ca", "NODE_EXTRA_CA_CERTS=ca.pem", "trusted"),
    ],
)
def test_the_certificate_store_selected_by_a_flag(made: Box, flag: str, variable: str, expected: str) -> None:
    environment = dict([variable.split("=")]) if variable else {}
    assert request_outcome(made, *[flag] * bool(flag), "main.cjs", **environment) == expected


def test_the_environment_may_choose_the_system(made: Box) -> None:
    assert request_outcome(made, "main.cjs", NODE_USE_SYSTEM_CA="1", SSL_CERT_FILE="ca.pem") == "trusted"
    assert (
        request_outcome(made, "--use-bundled-ca", "main.cjs", NODE_USE_SYSTEM_CA="1", SSL_CERT_FILE="ca.pem")
        == UNTRUSTED
    )
    assert (
        request_outcome(made, "--no-use-system-ca", "main.cjs", NODE_USE_SYSTEM_CA="1", SSL_CERT_FILE="ca.pem")
        == UNTRUSTED
    )


def test_a_worker_trusts_the_same_certificates_as_the_program(made: Box) -> None:
    assert request_outcome(made, "--use-openssl-ca", "worker.cjs", SSL_CERT_FILE="ca.pem") == "trusted"


def test_openssl_excludes_the_bundled_certificates(made: Box) -> None:
    program = "console.log(require('tls').getCACertificates('default').length)"
    both = {"SSL_CERT_FILE": "ca.pem", "SSL_CERT_DIR": "folder"}
    assert request_outcome(made, "--use-openssl-ca", "-e", program, **both) == "1"
    bundled = int(request_outcome(made, "--use-bundled-ca", "-e", program, **both))
    assert int(request_outcome(made, "--use-system-ca", "-e", program, **both)) == bundled + 1 > 100


def test_an_unreadable_file_is_reported(made: Box) -> None:
    result = made.run("main.cjs", environment={"NODE_EXTRA_CA_CERTS": "nope.pem"})
    assert result.stdout.decode().strip() == UNTRUSTED
    assert b"Ignoring extra certs from `nope.pem`" in result.stderr


def test_a_program_may_choose_for_itself(made: Box) -> None:
    chooses = "const pem = require('fs').readFileSync('ca.pem', 'utf8'); require('tls').setDefaultCACertificates([pem]); require('./main.cjs')"
    assert request_outcome(made, "-e", chooses) == "trusted"


DEFAULTS = (
    "const tls = require('tls'); console.log(tls.DEFAULT_MIN_VERSION, tls.DEFAULT_MAX_VERSION, tls.DEFAULT_CIPHERS)"
)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("--tls-min-v1.0 --tls-min-v1.3", "TLSv1 TLSv1.3"),
        ("--tls-min-v1.1", "TLSv1.1 TLSv1.3"),
        ("--tls-min-v1.2", "TLSv1.2 TLSv1.3"),
        ("--tls-min-v1.3", "TLSv1.3 TLSv1.3"),
        ("--tls-max-v1.2", "TLSv1.2 TLSv1.2"),
        ("--tls-max-v1.2 --tls-max-v1.3", "TLSv1.2 TLSv1.3"),
    ],
)
def test_versions_and_ciphers_that_flags_choose(box: Box, flags: str, expected: str) -> None:
    chosen = [*flags.split(), "--tls-cipher-list=AES128-SHA"]
    assert request_outcome(box, *chosen, "-e", DEFAULTS) == f"{expected} AES128-SHA"
    assert request_outcome(box, "-e", DEFAULTS, NODE_OPTIONS=" ".join(chosen)) == f"{expected} AES128-SHA"


def test_keys_of_connections_are_written_down(made: Box) -> None:
    result = made.run("--tls-keylog=keys.log", "main.cjs", environment={"NODE_EXTRA_CA_CERTS": "ca.pem"})
    assert result.stdout.decode().strip() == "trusted"
    assert b"writing secret key material to file keys.log" in result.stderr
    lines = (made.folder / "keys.log").read_text().splitlines()
    assert all(len(line.split()) == 3 for line in lines)
    assert sum(line.startswith("CLIENT_TRAFFIC_SECRET_0") for line in lines) == 4  # two connections, both sides of each


OF_AN_AGENT = """
const { readFileSync } = require('node:fs');
const https = require('node:https');
const server = https.createServer({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') }, (_, answer) => answer.end('hello'));
server.listen(0, () => {
  const { port } = server.address();
  const agent = new https.Agent({ keepAlive: true, ca: readFileSync('ca.pem') });
  const heard = [];
  const ask = (done) => https.get({ host: 'localhost', port, agent }, (answer) => answer.resume().on('end', done));
  ask(() => {
    agent.on('keylog', (line, socket) => heard.push([line.toString().split(' ')[0], socket.encrypted]));
    agent.maxFreeSockets = 0;
    agent.destroy();
    ask(() => {
      console.log(heard.filter(([name, isSocket]) => name === 'CLIENT_TRAFFIC_SECRET_0' && isSocket).length);
      process.exit();
    });
  });
});
"""


def test_an_agent_emits_the_keys_of_its_connections(made: Box) -> None:
    made.write({"agent.cjs": OF_AN_AGENT})
    assert request_outcome(made, "agent.cjs") == "1"
