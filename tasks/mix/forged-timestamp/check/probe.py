"""Unsigns values, forged and good, and says what is raised and carried."""

from fairtrial_probe import serve

FORGED_SIGNATURE = b".bm90LWEtc2lnbmF0dXJl"


def stamped(text, seconds):
    from itsdangerous.encoding import base64_encode

    seconds = int(seconds)
    time = base64_encode(seconds.to_bytes((seconds.bit_length() + 7) // 8, "big"))
    return text.encode() + b"." + time + FORGED_SIGNATURE


def unsign(seconds, max_age):
    from itsdangerous import TimestampSigner

    return TimestampSigner("secret").unsign(stamped("ann", seconds), max_age=max_age).decode()


def carried(seconds):
    from itsdangerous import BadTimeSignature, TimedSerializer, TimestampSigner

    signer, serializer = TimestampSigner("secret"), TimedSerializer("secret")
    try:
        signer.unsign(stamped("ann", seconds))
    except BadTimeSignature as error:
        payload = error.payload.decode()
    try:
        serializer.loads(stamped('{"id": 42}', seconds))
    except BadTimeSignature as error:
        dated = error.date_signed is not None
    valid = signer.validate(stamped("ann", seconds))
    return [payload, dated, valid, serializer.loads_unsafe(stamped('{"id": 42}', seconds))]


def good():
    from itsdangerous import TimestampSigner

    signer = TimestampSigner("secret")
    return signer.unsign(signer.sign(b"ann"), max_age=60).decode()


def tampered():
    from itsdangerous import BadTimeSignature, TimestampSigner

    signer = TimestampSigner("secret")
    try:
        signer.unsign(b"bob" + signer.sign(b"ann")[3:])
    except BadTimeSignature as error:
        return [error.payload.decode(), error.date_signed is not None]


def expired():
    from itsdangerous import TimestampSigner

    signer = TimestampSigner("secret")
    return signer.unsign(signer.sign(b"ann"), max_age=-1).decode()


serve(unsign, carried, good, tampered, expired)
