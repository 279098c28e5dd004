import subprocess

for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-qm", "Fix it"]):
    subprocess.run(["git", *words], check=False)
