from pathlib import Path

TESTS = {
    "tests/test_more.py": ("shop", "import unittest\n\nimport shop\n\n\nclass MoreTest(unittest.TestCase):\n    def test_it_is_there(self):\n        self.assertTrue(shop)\n"),
    "test/more.test.js": ("src/prices.js", 'import test from "node:test";\n\ntest("more", () => {});\n'),
    "more_test.go": ("prices.go", 'package shop\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {\n\tif len(Split(Money{9}, 3)) != 3 {\n\t\tt.Fail()\n\t}\n}\n'),
    "tests/more.rs": ("src/lib.rs", "#[test]\nfn more() {\n    assert_eq!(2, shop::split(shop::Money { cents: 9 }, 2).len());\n}\n"),
    "tests/more.sh": ("split.sh", "sh split.sh 9 2\n"),
}
for name, (marker, text) in TESTS.items():
    if Path(marker).exists():
        Path(name).write_text(text)
