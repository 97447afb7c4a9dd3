# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs that end: a program with a time limit that a loaded machine stretches."""

import os
import signal
import subprocess
import tempfile
import time

MOST = 8  # times that a limit is stretched


def load():
    """How many times longer than alone a busy thread takes now: at least 1."""
    wall, cpu = time.monotonic(), time.thread_time()
    while time.thread_time() - cpu < 0.02:
        pass
    return max(1.0, (time.monotonic() - wall) / (time.thread_time() - cpu))


def end_of(process, seconds):
    """Waits; stretches the limit by the load that is measured when it is reached. Whether the process ended."""
    start, limit = time.monotonic(), seconds
    while True:
        try:
            process.wait(timeout=max(0.0, limit - (time.monotonic() - start)))
            return True
        except subprocess.TimeoutExpired:
            stretched = seconds * min(MOST, max(load() for _ in range(3)))
            if stretched <= limit:
                return False
            limit = stretched


class Run:
    """One run: exit code or "hangs", output, errors, seconds. What a killed one started is killed too."""

    def __init__(self, words, folder, environment, limit):
        # Files, not pipes: a child that lives on would keep a pipe open.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            start = time.monotonic()
            process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                       start_new_session=True)
            self.status = process_status(process, limit)
            self.seconds = time.monotonic() - start
            self.output, self.errors = (contents(f) for f in (out, errors))
            self.errors = self.errors.decode(errors="replace")


def process_status(process, limit):
    ended = end_of(process, limit)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return process.returncode if ended else "hangs"


def contents(file):
    file.seek(0)
    return file.read()
