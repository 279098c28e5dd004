import subprocess
import sys

subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"], start_new_session=True)
