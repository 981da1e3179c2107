"""Certificates of a cluster: an authority, and a certificate with its key for the scheduler, the agents and the clients.

A connection is accepted only from a certificate of the same authority, so every file is a secret of the cluster, and readable only by its
owner. `ca-key.pem` is needed to make more of them, and nowhere else.
"""

from __future__ import annotations

import datetime
import os

from ..vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate, Name

AUTHORITY = "ca.pem"
SCHEDULER, AGENT, CLIENT = "scheduler.pem", "agent.pem", "client.pem"
_AUTHORITY_KEY = "ca-key.pem"
_LIFETIME = datetime.timedelta(days=825)
_TOLERANCE = datetime.timedelta(days=1)  # by which clocks may differ


def make_certificates(folder: str) -> list[str]:
    """Write the files to `folder`, which is created, and return their paths. Raises Failed; existing files are never replaced."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        authority = _make("rt cluster", None)
        files = {AUTHORITY: _certificate_text(authority[0]), _AUTHORITY_KEY: _key_text(authority[1])}
        for name in (SCHEDULER, AGENT, CLIENT):
            certificate, key = _make(f"rt {name.removesuffix('.pem')}", authority)
            files[name] = _certificate_text(certificate) + _key_text(key)
        for name in files:
            if os.path.lexists(os.path.join(folder, name)):
                raise Failed(
                    "cluster-certificates", f"{os.path.join(folder, name)} exists already; name another folder"
                )
        for name, data in files.items():
            descriptor = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(descriptor, "wb") as file:
                file.write(data)
    except OSError as error:
        raise Failed("cluster-certificates", f"cannot write certificates to {folder}: {error.strerror}") from error
    return [os.path.join(folder, name) for name in files]


def require_files(folder: str, *names: str) -> None:
    """Raise Failed unless the authority and the certificates `names` in `folder` can be read; "" stands for no folder."""
    for path in (os.path.join(folder, name) for name in (AUTHORITY, *names) if folder):
        try:
            with open(path, "rb"):
                continue
        except OSError as error:
            raise Failed(
                "cluster-certificates",
                f"cannot read {path}: {error.strerror}; `rt agent --make-certificates` writes such files",
            ) from error


def _make(
    name: str, authority: tuple[Certificate, EllipticCurvePrivateKey] | None
) -> tuple[Certificate, EllipticCurvePrivateKey]:
    """Return a certificate and its key: signed by `authority`, or that of an authority."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = _name(name)
    issuer, signer = (subject, key) if authority is None else (authority[0].subject, authority[1])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _TOLERANCE)
        .not_valid_after(now + _LIFETIME)
        .add_extension(x509.BasicConstraints(ca=authority is None, path_length=None), critical=True)
        .sign(signer, hashes.SHA256())
    )
    return certificate, key


def _name(text: str) -> Name:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _certificate_text(certificate: Certificate) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM)


def _key_text(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
