from pathlib import Path

with open("large.bin", "wb") as file:
    for _ in range(80):
        file.write(bytes(2**20))
with open("sparse.bin", "wb") as file:
    file.truncate(2**40)
for number in range(1000):
    Path(f"n{number}").write_text("x")
