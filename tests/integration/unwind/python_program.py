# Keeps the interpreter and a few of its C modules busy for about as many seconds as the argument says.
import hashlib
import json
import re
import sys
import time
import zlib


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def work(i):
    document = {str(k): [k, k * 1.5, "x" * (k % 7)] for k in range(200)}
    text = json.dumps(document)
    again = json.loads(text)
    words = re.findall(r"\d+\.\d", text)
    digest = hashlib.sha256(zlib.compress(text.encode())).hexdigest()
    ordered = sorted(words, key=lambda w: float(w) % 17)
    return len(again) + len(ordered) + fibonacci(12) + int(digest[0], 16) + i


end = time.process_time() + float(sys.argv[1])
total = 0
while time.process_time() < end:
    total += work(total)
print(total % 1000003)
