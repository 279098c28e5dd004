"""Encodes and decodes names with the dots of RFC 3490."""

from fairtrial_probe import serve


def encoded(name, **options):
    import idna

    return idna.encode(name, **options).decode()


def decoded(name, **options):
    import idna

    return idna.decode(name, **options)


def strictly(work, name):
    return {"encode": encoded, "decode": decoded}[work](name, strict=True)


serve(encoded, decoded, strictly)
