from fairtrial_probe import serve


def found(size, *more):
    from shop.prices import repeated

    return [int(price) for price in repeated([*range(size), *more])]


serve(found)
