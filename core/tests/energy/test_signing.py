import pytest
from fairtrial.api import RunError
from fairtrial.energy.signing import is_signed_by, new_key, sign, signature_of


@pytest.fixture
def receipts(rig, tmp_path):
    own = rig()
    with own.ledger, own.ledger.window("a") as window:
        own.passes(10, pkg0=100)
    window.energies()
    return tmp_path / "energy.jsonl"


def test_a_signature_holds_for_its_key_and_its_receipts_only(receipts, tmp_path) -> None:
    public, other = new_key(tmp_path / "key"), new_key(tmp_path / "other")
    sign(receipts, tmp_path / "key")

    mine, foreign = is_signed_by(receipts, public), is_signed_by(receipts, other)
    receipts.write_bytes(receipts.read_bytes().replace(b'"op":"close"', b'"op":"clos3"'))

    assert [True, False, False] == [mine, foreign, is_signed_by(receipts, public)]


def test_a_key_is_its_owners_alone_and_never_overwritten(tmp_path) -> None:
    new_key(tmp_path / "key")

    assert 0o600 == (tmp_path / "key").stat().st_mode & 0o777
    with pytest.raises(RunError):
        new_key(tmp_path / "key")


def test_what_is_no_key_can_not_sign(receipts, tmp_path) -> None:
    (tmp_path / "key").write_text("short")

    with pytest.raises(RunError, match="can't be signed"):
        sign(receipts, tmp_path / "key")


def test_without_a_signature_nothing_is_signed(receipts, tmp_path) -> None:
    assert not is_signed_by(receipts, new_key(tmp_path / "key"))


def test_receipts_that_do_not_hold_are_not_signed(receipts, tmp_path) -> None:
    new_key(tmp_path / "key")
    cut_off = receipts.read_bytes().splitlines(keepends=True)[:-1]
    receipts.write_bytes(b"".join(cut_off))

    with pytest.raises(RunError) as caught:
        sign(receipts, tmp_path / "key")

    why = f"record {len(cut_off)}: count and head are missing: the last record was cut off"
    assert (("because", why),) == caught.value.facts
    assert not signature_of(receipts).exists()


@pytest.mark.parametrize("public", ["", "no key", "c2hvcnQ="])
def test_what_is_no_public_key_is_an_error_and_not_a_forgery(receipts, public) -> None:
    with pytest.raises(RunError, match="is no public key"):
        is_signed_by(receipts, public)
