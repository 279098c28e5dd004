import contextlib
import io
import os
import tempfile
import unittest

from stockroom.__main__ import main


class ImportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stock = os.path.join(folder.name, "stock.json")
        self.file = os.path.join(folder.name, "delivery.csv")
        self.call("add", "A-1", "Pipe")
        self.call("add", "A-2", "Tube")

    def call(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["--stock", self.stock, *arguments])
        return code, out.getvalue() + err.getvalue()

    def deliver(self, text):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)
        return self.call("import", self.file)

    def listed(self):
        return [line.split()[:2] for line in self.call("list")[1].splitlines()]

    def test_all_lines_are_booked(self):
        self.assertEqual((0, "2 bookings\n"), self.deliver("# today\nA-1;7\n\nA-2; 3\n"))
        self.assertEqual([["A-1", "7"], ["A-2", "3"]], self.listed())

    def test_a_bad_quantity_books_nothing(self):
        code, text = self.deliver("A-1;7\nA-2;4\nA-2;seven\n")
        self.assertEqual((1, f"{self.file}, line 3: “seven” is no quantity\n"), (code, text))
        self.assertEqual([["A-1", "0"], ["A-2", "0"]], self.listed())

    def test_lines_build_on_each_other(self):
        self.assertEqual(0, self.deliver("A-1;7\nA-1;-7\n")[0])

    def test_a_missing_file_is_refused_in_one_line(self):
        code, text = self.call("import", self.file)
        self.assertEqual((1, 1), (code, text.count("\n")))
        self.assertIn(self.file, text)


if __name__ == "__main__":
    unittest.main()
