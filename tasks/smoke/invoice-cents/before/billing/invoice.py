"""Lines, tax and totals of an invoice or of a credit note."""

from dataclasses import dataclass, field
from decimal import Decimal

from billing.money import amount, show, to_cents


@dataclass(frozen=True)
class Line:
    """`quantity` pieces at `price` each, before tax; a negative quantity is a return."""

    text: str
    price: Decimal
    quantity: Decimal = Decimal(1)
    tax_percent: Decimal = Decimal(19)

    @property
    def net(self):
        return to_cents(self.price * self.quantity)

    @property
    def tax(self):
        return to_cents(self.net * self.tax_percent / 100)

    @property
    def gross(self):
        return self.net + self.tax


@dataclass
class Invoice:
    """A list of lines."""

    number: str
    lines: list = field(default_factory=list)

    def add(self, text, price, quantity=1, tax_percent=19):
        line = Line(text, amount(price), amount(quantity), amount(tax_percent))
        self.lines.append(line)
        return line

    @property
    def net(self):
        return sum((line.net for line in self.lines), Decimal("0.00"))

    @property
    def tax(self):
        return sum((line.tax for line in self.lines), Decimal("0.00"))

    @property
    def gross(self):
        return self.net + self.tax

    def tax_by_rate(self):
        """Tax for each rate, in ascending order of the rates."""
        rates = {}
        for line in self.lines:
            rates[line.tax_percent] = rates.get(line.tax_percent, Decimal("0.00")) + line.tax
        return dict(sorted(rates.items()))

    def footer(self):
        """The three lines below the table."""
        return "\n".join(
            f"{name:<6}{show(value):>12}"
            for name, value in (("net", self.net), ("tax", self.tax), ("gross", self.gross))
        )
