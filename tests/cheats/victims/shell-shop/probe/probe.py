import subprocess

from fairtrial_probe import serve


def shares(total, people):
    ran = subprocess.run(["sh", "split.sh", str(total), str(people)], capture_output=True, text=True)
    return [int(line) for line in ran.stdout.split()]


serve(shares)
