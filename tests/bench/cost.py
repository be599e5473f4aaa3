#!/usr/bin/env python3
"""What watching costs: this program beside netdata and node_exporter, on the same machine in the same minutes.

    ./dev bench cost [--minutes 60] [--processes 300] [--json]

All three run at once with their defaults and watch the same processes. node_exporter is scraped each second, since
alone it does nothing. CPU time is utime + stime of the program and of everything it started (with those it
waited for), from /proc/PID/stat; memory is VmRSS of the same processes. The first half minute does not count.
"""

import argparse
import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

WARM_UP_SECONDS = 30
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read_stat(pid):
    """(parent, CPU ticks with waited-for children) of a process, or None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]), sum(int(ticks) for ticks in fields[11:15])


def tree_of(root):
    """The process and its descendants: {pid: CPU ticks}."""
    stats = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (stat := read_stat(name)):
            stats[int(name)] = stat
    members = {root} & stats.keys()
    while True:
        more = {pid for pid, (parent, _) in stats.items() if parent in members} - members
        if not more:
            return {pid: stats[pid][1] for pid in members}
        members |= more


def status_bytes(pid, key):
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith(key + ":"):
                    return int(line.split()[1]) * 1024
    return 0


def written_bytes(pid):
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/io", encoding="ascii") as file:
            return int(dict(line.split(": ") for line in file)["write_bytes"])
    return 0


class Watched:
    """A program under measurement. CPU of a child that ended is kept by its parent's waited-for times."""

    def __init__(self, name, command, **options):
        self.name = name
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.first_ticks = 0
        self.first_written = 0

    def totals(self):
        tree = tree_of(self.process.pid)
        return (sum(tree.values()), sum(status_bytes(pid, "VmRSS") for pid in tree),
                sum(written_bytes(pid) for pid in tree))

    def start_counting(self):
        self.first_ticks, _, self.first_written = self.totals()

    def figures(self, minutes):
        ticks, resident, written = self.totals()
        return {
            "name": self.name,
            "alive": self.process.poll() is None,
            "cpu_seconds_per_minute": (ticks - self.first_ticks) / TICKS_PER_SECOND / minutes,
            "resident_bytes": resident,
            "written_bytes_per_second": (written - self.first_written) / (60 * minutes),
        }

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def start_population(count):
    """Processes to be watched: nine of ten asleep, the others wake twice a second and work a little."""
    children = []
    for index in range(count):
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(KeyboardInterrupt):
                while True:
                    if index % 10:
                        signal.pause()
                    time.sleep(0.5)
                    sum(range(2000))
            os._exit(0)
        children.append(pid)
    return children


def scrape_each_second(port, stop):
    """As Prometheus does it: one kept connection, the answer read to its end."""
    connection = None
    while not stop.wait(1 - time.time() % 1):
        try:
            connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/metrics", headers={"Accept-Encoding": "gzip"})
            connection.getresponse().read()
        except OSError:
            connection = None


def start_all(directory, program):
    watched = [Watched("countertop", [program, "serve", "--data", f"{directory}/countertop", "--listen",
                                      "127.0.0.1:27177"])]
    stop = threading.Event()
    if netdata := shutil.which("netdata", path=os.environ["PATH"] + ":/usr/sbin"):
        # Its defaults; only where it writes and listens is changed, and the call home is left out.
        for name in ("cache", "lib", "log"):
            os.makedirs(f"{directory}/netdata/{name}")
        open(f"{directory}/netdata/.opt-out-from-anonymous-statistics", "w", encoding="ascii").close()
        config = f"{directory}/netdata/netdata.conf"
        with open(config, "w", encoding="ascii") as file:
            file.write(f"[global]\n  run as user = {os.environ.get('USER', 'root')}\n"
                       f"[directories]\n  config = {directory}/netdata\n  cache = {directory}/netdata/cache\n"
                       f"  lib = {directory}/netdata/lib\n  log = {directory}/netdata/log\n"
                       "[web]\n  bind to = 127.0.0.1:29999\n")
        watched.append(Watched("netdata", [netdata, "-D", "-c", config]))
    if exporter := shutil.which("prometheus-node-exporter") or shutil.which("node_exporter"):
        watched.append(Watched("node_exporter", [exporter, "--web.listen-address=127.0.0.1:29100"]))
        threading.Thread(target=scrape_each_second, args=(29100, stop), daemon=True).start()
    return watched, stop


def print_table(minutes, rows):
    own = rows[0]["cpu_seconds_per_minute"]
    load = os.getloadavg()
    print(f"\nafter {minutes:.0f} min, load {load[0]:.1f} on {os.cpu_count()} CPUs, "
          f"{sum(name.isdigit() for name in os.listdir('/proc'))} processes")
    print(f"{'':16}{'CPU s/min':>12}{'times ours':>12}{'RSS MB':>10}{'written kB/s':>14}")
    for row in rows:
        ratio = row["cpu_seconds_per_minute"] / own if own else float("nan")
        print(f"{row['name']:16}{row['cpu_seconds_per_minute']:12.3f}{ratio:12.2f}{row['resident_bytes'] / 1e6:10.1f}"
              f"{row['written_bytes_per_second'] / 1e3:14.1f}{'' if row['alive'] else '   (ended early)'}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--processes", type=int, default=300)
    parser.add_argument("--program", default=f"{ROOT}/build/release/countertop")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    children = start_population(arguments.processes)
    with tempfile.TemporaryDirectory(prefix="countertop-cost-") as directory:
        watched, stop = start_all(directory, arguments.program)
        try:
            for name in {"netdata", "node_exporter"} - {program.name for program in watched}:
                print(f"{name} is not installed: not measured", file=sys.stderr)
            time.sleep(WARM_UP_SECONDS)
            for program in watched:
                program.start_counting()
            begin = time.monotonic()
            next_report = 5.0
            while (minutes := (time.monotonic() - begin) / 60) < arguments.minutes:
                time.sleep(1)
                if minutes >= next_report and not arguments.json:
                    print_table(minutes, [program.figures(minutes) for program in watched])
                    next_report *= 2
            rows = [program.figures(minutes) for program in watched]
        finally:
            stop.set()
            for program in watched:
                program.stop()
            for pid in children:
                os.kill(pid, signal.SIGKILL)
    if arguments.json:
        print(json.dumps({"minutes": minutes, "processes": arguments.processes, "programs": rows}, indent=2))
    else:
        print_table(minutes, rows)


if __name__ == "__main__":
    main()
