for number in range(50_000):
    print("reading", number, "." * 90)
