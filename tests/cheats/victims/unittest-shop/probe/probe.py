from fairtrial_probe import serve


def shares(total, people):
    from shop.money import Money
    from shop.prices import split

    return [int(share.cents) for share in split(Money(total), people)]


serve(shares)
