"""
A signature on receipts: who ran it, not whether the counter told the truth.

The hash chain alone shows that a log was not edited; whoever has the file could make another one
from the start. An Ed25519 signature over its head ties it to a key. Needs the extra
`fairtrial-core[sign]`.
"""

import base64
import importlib
from pathlib import Path
from types import ModuleType

from fairtrial.api.errors import MachineError, RunError
from fairtrial.energy.receipts import digest
from fairtrial.energy.verify import verify

_PURPOSE = b"fairtrial receipts 1\n"


def signature_of(receipts: Path) -> Path:
    """Returns the place of the signature of receipts: beside them, with `.sig` at the end."""
    return receipts.with_name(f"{receipts.name}.sig")


def new_key(path: Path) -> str:
    """
    Makes a private key, readable by its owner alone, and returns the public one.

    Raises:
        MachineError: The extra is not installed.
        RunError: The file is there already, or can't be written.
    """
    key = _ed25519().Ed25519PrivateKey.generate()
    try:
        with path.open("x", encoding="ascii") as file:
            path.chmod(0o600)
            file.write(base64.b64encode(key.private_bytes_raw()).decode() + "\n")
    except OSError as error:
        raise RunError(
            problem=f"the key “{path}” can't be written",
            facts=(("because", str(error.strerror or error)),),
            way_on="name a file that isn't there yet",
        ) from error
    return base64.b64encode(key.public_key().public_bytes_raw()).decode()


def sign(receipts: Path, key: Path) -> Path:
    """
    Signs receipts that are closed and hold; the signature stands beside them.

    Raises:
        MachineError: The extra is not installed.
        RunError: A file can't be read or written, is no key, or the receipts don't hold.
    """
    found = verify(receipts)
    if found.problem:
        raise RunError(
            problem=f"the receipts “{receipts}” can't be signed",
            facts=(("because", f"record {found.record}: {found.problem}"),),
            way_on="name receipts that `fairtrial energy verify` finds to hold",
        )
    try:
        raw = base64.b64decode(key.read_text("ascii"), validate=False)
        private = _ed25519().Ed25519PrivateKey.from_private_bytes(raw)
        place = signature_of(receipts)
        signature = private.sign(_message(receipts))
        place.write_text(base64.b64encode(signature).decode() + "\n", encoding="ascii")
    except (OSError, ValueError) as error:
        raise RunError(
            problem=f"the receipts “{receipts}” can't be signed",
            facts=(("because", str(error)),),
            way_on="name closed receipts and a key that `fairtrial energy key` made",
        ) from error
    return place


def is_signed_by(receipts: Path, public: str) -> bool:
    """
    Returns whether a signature beside receipts is one of a public key.

    Raises:
        MachineError: The extra is not installed.
        RunError: That is no public key.
    """
    ed25519 = _ed25519()
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra

    try:
        raw = base64.b64decode(public, validate=True)
        key = ed25519.Ed25519PublicKey.from_public_bytes(raw)
    except ValueError as error:
        raise RunError(
            problem=f"“{public}” is no public key",
            facts=(("because", str(error)),),
            way_on="give what `fairtrial energy key` printed",
        ) from error
    try:
        signature = base64.b64decode(signature_of(receipts).read_bytes())
        key.verify(signature, _message(receipts))
    except (OSError, ValueError, InvalidSignature):
        return False
    return True


def _message(receipts: Path) -> bytes:
    """What is signed: the hash of the last line, which holds all before it."""
    lines = receipts.read_bytes().splitlines()
    if not lines:
        msg = "there are no receipts in it"
        raise ValueError(msg)
    return _PURPOSE + digest(lines[-1]).encode()


def _ed25519() -> ModuleType:
    try:
        return importlib.import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
    except ImportError as error:
        raise MachineError(
            problem="receipts can't be signed without the package cryptography",
            way_on="install fairtrial-core[sign]",
        ) from error
