"""Bills lines of every size and says what tax and net come out, as texts."""

from decimal import Decimal

from fairtrial_probe import serve


def plain(amount):
    """Returns an amount's exact value as a text, whatever its number of digits."""
    return str(Decimal(amount).normalize())


def taxes(percent, quantity):
    from billing.invoice import Invoice

    prices = [str(Decimal(cents) / 100) for cents in range(1, 900, 7)]
    return [plain(Invoice("x").add("t", price, quantity, percent).tax) for price in prices]


def net(price, quantity):
    from billing.invoice import Invoice

    return plain(Invoice("x").add("by weight", price, quantity, 0).net)


def total(lines):
    from billing.invoice import Invoice

    invoice = Invoice("sum")
    for price, quantity, percent in lines:
        invoice.add("line", price, quantity, percent)
    return [plain(invoice.tax), sorted(plain(tax) for tax in invoice.tax_by_rate().values())]


serve(taxes, net, total)
