#!/usr/bin/env python3
"""Reads a file with the Firefox Profiler's own loader, in the npm package @firefox-devtools/profiler-cli, and prints what it
made of the file as JSON: [{name, functions, markers}], one entry for each thread.

usage: read_firefox.py CLI FILE

The program keeps a profile in a server process, which answers further calls.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

CLI, FILE = sys.argv[1:3]
START_S = 60


def ask(*arguments):
    done = subprocess.run(["node", CLI, *arguments, "--session", "test", "--json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def listens(path):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError:
            return False
    return True


def threads_of(server):
    """Asks the server when it listens: a client that finds no listener removes the server's socket."""
    end = time.monotonic() + START_S
    while time.monotonic() < end and server.poll() is None:
        if listens(os.path.join(os.environ["PROFILER_CLI_SESSION_DIR"], "test.sock")):
            threads = ask("thread", "list", "--limit", "0")
            if threads is not None:
                return threads["threads"]
        time.sleep(0.2)
    sys.exit(f"read_firefox.py: the server did not load the file: {server.communicate()[0] if server.poll() else 'too slow'}")


def main():
    # The name of the server's socket must be short.
    os.environ["PROFILER_CLI_SESSION_DIR"] = tempfile.mkdtemp(dir="/tmp")
    server = subprocess.Popen(["node", CLI, "--daemon", FILE, "--session", "test"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    try:
        found = []
        for thread in threads_of(server):
            of_thread = ("--thread", thread["threadHandle"], "--limit", "0")
            functions = ask("thread", "functions", "--include-idle", *of_thread)["functions"]
            markers = ask("thread", "markers", "--list", *of_thread)["flatMarkers"]
            found.append({"name": thread["name"], "functions": functions, "markers": markers})
        print(json.dumps(found))
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(os.environ["PROFILER_CLI_SESSION_DIR"])


if __name__ == "__main__":
    main()
