import pytest
from fairtrial.api import RunError
from fairtrial.energy.signing import is_signed_by, new_key, sign


@pytest.fixture
def receipts(tmp_path):
    path = tmp_path / "energy.jsonl"
    path.write_text('{"op":"open"}\n{"op":"close"}\n')
    return path


def test_a_signature_holds_for_its_key_and_its_receipts_only(receipts, tmp_path) -> None:
    public, other = new_key(tmp_path / "key"), new_key(tmp_path / "other")
    sign(receipts, tmp_path / "key")

    mine, foreign = is_signed_by(receipts, public), is_signed_by(receipts, other)
    receipts.write_text('{"op":"open"}\n{"op":"closed"}\n')

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
