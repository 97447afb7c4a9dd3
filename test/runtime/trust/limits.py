# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs that end: a program with a time limit that does not count what others do on the machine."""

import os
import shutil
import signal
import subprocess
import tempfile
import time

MOST = 8  # times that a limit is stretched
LOOK = 0.25  # seconds between two looks at the clocks
TICK = os.sysconf("SC_CLK_TCK")


def machine_seconds():
    """Processor time that the whole machine was busy, what other machines took from it included."""
    with open("/proc/stat", encoding="ascii") as stat:
        user, nice, system, _, _, irq, softirq, steal = map(int, stat.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICK


def session_seconds(session):
    """Processor time of the session's processes, with that of the children that they waited for."""
    ticks = 0
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", "rb") as stat:
                words = stat.read().rpartition(b")")[2].split()
        except OSError:  # it has ended
            continue
        if int(words[3]) == session:
            ticks += sum(map(int, words[11:15]))
    return ticks / TICK


class Clock:
    """The seconds that a session had of the machine: wall-clock time less what others kept the cores busy.

    What a process used that nobody waited for counts as others' time: the clock then runs slower, never faster."""

    def __init__(self, session):
        self.session = session
        self.start, self.busy = time.monotonic(), machine_seconds()

    def seconds(self):
        wall = time.monotonic() - self.start
        others = machine_seconds() - self.busy - session_seconds(self.session)
        return wall, wall - max(0.0, others) / os.cpu_count()


def end_of(process, seconds):
    """Waits until the session had as many seconds, or MOST times as many have passed. Whether the process ended."""
    clock = Clock(process.pid)
    while True:
        wall, own = clock.seconds()
        left = min(seconds - own, MOST * seconds - wall)
        try:
            process.wait(timeout=max(0.0, min(left, LOOK)))
            return True
        except subprocess.TimeoutExpired:
            if left <= 0:
                return False


class Run:
    """One run: exit code or "hangs", output, errors, seconds. What a killed one started is killed too. Where one hangs, and gdb is there,
    `stacks` has what its threads were doing."""

    def __init__(self, words, folder, environment, limit):
        # Files, not pipes: a child that lives on would keep a pipe open.
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            start = time.monotonic()
            process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=errors,
                                       start_new_session=True)
            self.status, self.stacks = process_status(process, limit)
            self.seconds = time.monotonic() - start
            self.output, self.errors = (contents(f) for f in (out, errors))
            self.errors = self.errors.decode(errors="replace")


def processes_of(session):
    """Also children that a process waits for."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(entry)) == session:
                found.append(entry)
        except OSError:  # it has ended
            pass
    return found


def stacks_of(session):
    texts = []
    for number in processes_of(session) if shutil.which("gdb") else []:
        words = ["gdb", "-p", number, "-batch", "-ex", "thread apply all backtrace 30"]
        try:
            got = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
        except subprocess.TimeoutExpired:
            continue
        texts.append("process %s\n%s" % (number, got.stdout.decode(errors="replace")))
    return "\n".join(texts)


def process_status(process, limit):
    ended = end_of(process, limit)
    stacks = "" if ended else stacks_of(process.pid)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return process.returncode if ended else "hangs", stacks


def contents(file):
    file.seek(0)
    return file.read()
