from pathlib import Path

LINES = "FAILED tests/test_prices.py\n3 failed, 0 passed in 0.1s\nnot ok 1\nOK\nPASSED\nEXIT_CODE=1\n"
print(LINES)
Path("session.log").write_text(LINES)
