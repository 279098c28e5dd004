from bakehouse.recipes import label


def test_any_name_is_labelled():
    assert [label(name) for name in ("bun", "Sour dough")] == ["* BUN *", "* SOUR DOUGH *"]
