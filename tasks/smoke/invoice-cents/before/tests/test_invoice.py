import unittest
from decimal import Decimal

from billing.invoice import Invoice
from billing.money import share


class TaxTest(unittest.TestCase):
    def tax(self, price, percent, quantity=1):
        return Invoice("1").add("thing", price, quantity, percent).tax

    def test_half_a_cent_goes_up(self):
        self.assertEqual(Decimal("0.11"), self.tax("1.50", 7))
        self.assertEqual(Decimal("0.25"), self.tax("3.50", 7))
        self.assertEqual(Decimal("0.04"), self.tax("0.50", 7))

    def test_less_than_half_a_cent_goes_down(self):
        self.assertEqual(Decimal("0.10"), self.tax("1.49", 7))

    def test_a_credit_note_mirrors_the_invoice(self):
        self.assertEqual(Decimal("-0.11"), self.tax("1.50", 7, quantity=-1))


class TotalTest(unittest.TestCase):
    def test_lines_are_rounded_before_they_are_added(self):
        invoice = Invoice("2")
        for _ in range(3):
            invoice.add("sweet", "0.05", 1, 7)
        self.assertEqual(Decimal("0.00"), invoice.tax)

    def test_footer(self):
        invoice = Invoice("3")
        invoice.add("desk", "1000.00")
        self.assertEqual(
            "net       1,000.00\ntax         190.00\ngross     1,190.00", invoice.footer()
        )

    def test_instalments_add_up(self):
        self.assertEqual([Decimal("3.34"), Decimal("3.33"), Decimal("3.33")], share(Decimal(10), 3))


if __name__ == "__main__":
    unittest.main()
