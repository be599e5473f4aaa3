"""Starts the real program on a free port with a data directory of its own, and talks to it."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

PROGRAM = os.environ["COUNTERTOP_PROGRAM"]


def clean_environment(**extra):
    """Without settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COUNTERTOP_")}
    return {**kept, **extra}


def run(*arguments, timeout=30, **environment):
    """Runs to the end; gives (exit code, stdout, stderr)."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=timeout,
                          env=clean_environment(**environment), check=False)
    return done.returncode, done.stdout, done.stderr


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def text(self):
        return self.body.decode("utf-8")

    def json(self):
        return json.loads(self.body)


class Program:
    """A running program; use it with `with`."""

    def __init__(self, *arguments, data=None, port=0, wait=True, **environment):
        self.owns_data = data is None
        self.data = data or tempfile.mkdtemp(prefix="countertop-test-")
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--listen", f"127.0.0.1:{port}", "--data", self.data, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment(**environment))
        self.output = []
        self.log = []
        self.readers = [threading.Thread(target=self._read, args=(self.process.stdout, self.output), daemon=True),
                        threading.Thread(target=self._read, args=(self.process.stderr, self.log), daemon=True)]
        for reader in self.readers:
            reader.start()
        self.port = None
        if wait:
            self.port = self._wait_for_port()

    @staticmethod
    def _read(stream, lines):
        for line in stream:
            lines.append(line)

    def _wait_for_port(self, limit=20):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", "".join(self.output))
            if found:
                return int(found.group(1))
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"no address printed; output: {self.output} log: {self.log}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for reader in self.readers:
            reader.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        if self.owns_data:
            shutil.rmtree(self.data, ignore_errors=True)

    def stop(self, number=signal.SIGTERM, limit=20):
        """Sends the signal; gives the exit code."""
        self.process.send_signal(number)
        return self.process.wait(limit)

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def token(self):
        with open(os.path.join(self.data, "token"), encoding="ascii") as file:
            return file.read().strip()

    def connect(self, timeout=20):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def request(self, method, target, body=None, headers=None):
        with contextlib.closing(self.connect()) as connection:
            connection.request(method, target, body, headers or {})
            return Answer(connection.getresponse())

    def get(self, target, headers=None, **parameters):
        if parameters:
            target += "?" + urllib.parse.urlencode(parameters, doseq=True)
        return self.request("GET", target, headers=headers)

    def api(self, path, **parameters):
        """JSON of a resource that must be there."""
        answer = self.get("/api/v1" + path, **parameters)
        if answer.status != 200:
            raise AssertionError(f"{path} {parameters}: {answer.status} {answer.text}")
        return answer.json()

    def wait_for_value(self, series, limit=20):
        """The first newest value that is a number, and how long after the start it was there."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            answer = self.get("/api/v1/latest", series=series)
            if answer.status == 200 and answer.json()["series"][0]["value"] is not None:
                return answer.json()["series"][0]["value"], time.monotonic() - self.started
            time.sleep(0.02)
        raise AssertionError(f"no value of {series}; log: {self.log}")


class Events:
    """Reads server-sent events on a thread of its own."""

    def __init__(self, program, last_id=None, **parameters):
        self.events = []
        self.connection = program.connect(timeout=60)
        headers = {"Accept": "text/event-stream"}
        if last_id is not None:
            headers["Last-Event-ID"] = str(last_id)
        target = "/api/v1/stream?" + urllib.parse.urlencode(parameters, doseq=True)
        self.connection.request("GET", target, headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        event = {}
        try:
            for raw in self.response:
                line = raw.decode("utf-8").rstrip("\n")
                if not line:
                    if "event" in event:
                        self.events.append(event)
                    event = {}
                elif not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    event[name] = json.loads(value) if name == "data" else value
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass  # the program went away

    def samples(self):
        return [event for event in list(self.events) if event["event"] == "sample"]

    def wait_for_samples(self, count, limit=30):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if len(self.samples()) >= count:
                return self.samples()
            time.sleep(0.02)
        raise AssertionError(f"only {len(self.samples())} of {count} samples: {self.events[-5:]}")

    def close(self):
        if self.connection.sock is not None:
            with contextlib.suppress(OSError):
                self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)
        self.response.close()
        self.connection.close()
