"""Threads, timers, processes and coroutines of Python's own."""

import asyncio
import faulthandler
import multiprocessing
import signal
import subprocess
import sys
import threading
import time


def work(rounds):
    total = 0
    for i in range(rounds):
        total += i * i % 7
    return total


def threads():
    results = []
    made = [threading.Thread(target=lambda: results.append(work(200000))) for _ in range(8)]
    for thread in made:
        thread.start()
    for thread in made:
        thread.join()
    print(len(results), sum(results))


def timers():
    ticks = []
    signal.signal(signal.SIGPROF, lambda number, frame: ticks.append(number))
    signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
    work(4000000)
    signal.setitimer(signal.ITIMER_PROF, 0)
    print("ticks", 5 < len(ticks) < 1000)


def processes():
    work(1000000)
    print([subprocess.run(["sh", "-c", f"exit {i}"], check=False).returncode for i in range(20)])
    print(subprocess.run(["tr", "a-z", "A-Z"], input="words", text=True, capture_output=True, check=True).stdout)


def pool():
    with multiprocessing.get_context("fork").Pool(2) as workers:
        print(sum(workers.map(work, [100000] * 12)))


def spawned():
    with multiprocessing.get_context("spawn").Pool(2) as workers:
        print(sum(workers.map(abs, range(-100, 0))))
    work(1000000)


def coroutines():
    async def one(i):
        await asyncio.sleep(0.001)
        return work(2000) + i

    async def all_of_them():
        child = await asyncio.create_subprocess_exec("true")
        return sum(await asyncio.gather(*(one(i) for i in range(300)))) + await child.wait()

    print(asyncio.run(all_of_them()))


def alarm():
    class TimeUp(Exception):
        pass

    def ring(number, frame):
        raise TimeUp

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        while True:
            work(1000)
    except TimeUp:
        print("time up")


def fault():
    faulthandler.enable()
    work(2000000)
    sys.stdout.write("before\n")
    sys.stdout.flush()
    faulthandler._sigsegv()


def recursion():
    sys.setrecursionlimit(3000)

    def down(depth):
        return work(500) if depth == 0 else down(depth - 1) + work(200)

    for _ in range(3):
        down(2000)
    try:
        (lambda f: f(f))(lambda f: f(f))
    except RecursionError:
        print("too deep")


def sleeps():
    begin = time.monotonic()
    for _ in range(100):
        time.sleep(0.002)
        work(10000)
    print("slept", time.monotonic() - begin >= 0.2)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
