import os

for name, target in {"up": "..", "rooted": "/", "climb": "a/../../..", "self": "self", "null": "/dev/null"}.items():
    os.symlink(target, name)
os.makedirs("a")
os.symlink("../../", "a/out")
