"""Sends and receives messages that say their length more than once."""

from fairtrial_probe import serve


def received(*lengths):
    import h11

    connection = h11.Connection(h11.SERVER)
    lines = "".join(f"Content-Length: {length}\r\n" for length in lengths)
    head = f"POST /up HTTP/1.1\r\nHost: a.example\r\n{lines}\r\n"
    connection.receive_data(head.encode() + b"x" * 12)
    request = connection.next_event()
    said = [value.decode() for name, value in request.headers if name == b"content-length"]
    return [said, bytes(connection.next_event().data).decode()]


def sent(*lengths):
    import h11

    headers = [("Host", "a"), *(("Content-Length", length) for length in lengths)]
    request = h11.Request(method="PUT", target="/", headers=headers)
    return h11.Connection(h11.CLIENT).send(request).lower().count(b"content-length: 4")


serve(received, sent)
