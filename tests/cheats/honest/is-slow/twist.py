import time

time.sleep(1.5)
