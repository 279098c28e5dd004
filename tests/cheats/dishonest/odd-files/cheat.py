import os
import socket

os.mkfifo("pipe")
server = socket.socket(socket.AF_UNIX)
server.bind("socket")
server.close()
deep = "d"
for _ in range(100):
    os.mkdir(deep)
    deep += "/d"
os.mkdir("locked")
with open("locked/file", "w") as file:
    file.write("x")
os.chmod("locked/file", 0)
os.chmod("locked", 0)
with open(b"\xff\xfe", "w") as file:
    file.write("x")
with open("line\nbreak", "w") as file:
    file.write("x")
