"""Many connections at once, slow ones, and ones that go away."""

import contextlib
import socket
import time
import unittest

from program import Answer, Events, Program


class ManyConnections(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program()
        cls.program.wait_for_value("cpu(total)/busy")

    @classmethod
    def tearDownClass(cls):
        cls.program.__exit__()

    def query_seconds(self):
        started = time.monotonic()
        answer = self.program.get("/api/v1/query", series="cpu(total)/busy", **{"from": "-1m"})
        self.assertEqual(answer.status, 200)
        return time.monotonic() - started

    def test_idle_connections_and_streams_do_not_delay_a_query(self):
        with contextlib.ExitStack() as stack:
            for _ in range(200):
                connection = stack.enter_context(contextlib.closing(self.program.connect()))
                connection.request("GET", "/healthz")
                self.assertEqual(Answer(connection.getresponse()).status, 200)
            streams = [Events(self.program, series="cpu(total)/busy") for _ in range(64)]
            for stream in streams:
                stack.callback(stream.close)
            refused = self.program.get("/api/v1/stream", series="cpu(total)/busy")
            self.assertEqual(refused.status, 429)
            self.assertIn("retry-after", refused.headers)
            times = sorted(self.query_seconds() for _ in range(10))
            print(f"query beside 200 idle connections and 64 streams: median {times[5] * 1000:.1f} ms, "
                  f"longest {times[-1] * 1000:.1f} ms")
            self.assertLess(times[5], 0.2)
            for stream in streams:
                stream.wait_for_samples(2)
        time.sleep(1.5)
        self.assertEqual(self.program.api("/status")["self"]["streams"], 0)

    def test_a_head_that_drips_is_cut_off_after_ten_seconds(self):
        with contextlib.closing(socket.create_connection(("127.0.0.1", self.program.port))) as slow:
            started = time.monotonic()
            slow.settimeout(0.5)
            slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            with contextlib.suppress(OSError):
                while time.monotonic() - started < 20:
                    slow.sendall(b"x")
                    try:
                        if slow.recv(1) == b"":
                            break
                    except TimeoutError:
                        pass
            took = time.monotonic() - started
            self.assertGreater(took, 5)
            self.assertLess(took, 15)
        self.assertEqual(self.program.get("/healthz").status, 200)

    def test_nothing_that_is_sent_brings_the_program_down(self):
        for nonsense in (b"\x00\xff" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                         b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", b"A" * 100000,
                         b"POST /api/v1/marks HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"):
            with contextlib.closing(socket.create_connection(("127.0.0.1", self.program.port))) as connection:
                with contextlib.suppress(OSError):
                    connection.sendall(nonsense)
                    connection.shutdown(socket.SHUT_WR)
                    connection.settimeout(5)
                    while connection.recv(65536):
                        pass
        self.assertEqual(self.program.get("/healthz").status, 200)
        self.assertIsNone(self.program.process.poll())


if __name__ == "__main__":
    unittest.main(verbosity=2)
