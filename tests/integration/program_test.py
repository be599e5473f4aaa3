"""The program as people start, use and stop it."""

import csv
import io
import json
import os
import signal
import socket
import stat
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from program import PROGRAM, Events, Program, run


class StartAndStop(unittest.TestCase):
    def test_first_values_come_within_two_seconds(self):
        with Program() as program:
            _, after = program.wait_for_value("memory/available")
            print(f"first value after {after:.2f} s")
            is_busy = os.getloadavg()[0] > os.cpu_count()
            self.assertLess(after, 10.0 if is_busy else 2.0)
            value, _ = program.wait_for_value("cpu(total)/busy")
            self.assertGreaterEqual(value, 0)
            self.assertEqual(program.get("/readyz").status, 200)

    def test_both_stop_signals_end_in_order(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Program() as program:
                program.wait_for_value("memory/available")
                events = Events(program, series="memory/available")
                events.wait_for_samples(1)
                started = time.monotonic()
                self.assertEqual(program.stop(number), 0)
                self.assertLess(time.monotonic() - started, 5)
                events.close()
                self.assertFalse([name for name in os.listdir(program.data) if name.endswith("-wal")
                                  and os.path.getsize(os.path.join(program.data, name)) > 0])

    def test_data_and_token_are_for_the_owner_alone(self):
        with tempfile.TemporaryDirectory() as parent:
            data = os.path.join(parent, "new")
            with Program(data=data) as program:
                self.assertEqual(stat.S_IMODE(os.stat(data).st_mode), 0o700)
                self.assertEqual(stat.S_IMODE(os.stat(os.path.join(data, "token")).st_mode), 0o600)
                token = program.token
                self.assertGreaterEqual(len(token), 43)
                self.assertEqual(program.stop(), 0)
                for reader in program.readers:
                    reader.join(5)
                self.assertIn(data, "".join(program.output))
                self.assertIn(token, "".join(program.output))

    def test_a_second_program_on_the_same_data_is_refused_and_told_who_is_there(self):
        with Program() as program:
            code, _, problem = run("--listen", "127.0.0.1:0", "--data", program.data)
            self.assertNotEqual(code, 0)
            self.assertIn(str(program.process.pid), problem)
            self.assertIn("countertop", problem)
            self.assertEqual(program.get("/healthz").status, 200)

    def test_a_port_in_use_is_told_with_its_holder(self):
        with socket.socket() as taken, tempfile.TemporaryDirectory() as data:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            code, _, problem = run("--listen", f"127.0.0.1:{port}", "--data", data)
            self.assertNotEqual(code, 0)
            self.assertIn(str(port), problem)
            self.assertIn(str(os.getpid()), problem)
            self.assertIn("--listen", problem)


class Settings(unittest.TestCase):
    def test_flag_beats_environment_beats_file_beats_default(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "countertop.toml")
            with open(file, "w", encoding="utf-8") as out:
                out.write('[store]\nmax_size = "64MiB"\nraw = "7d"\n[collect]\ninterval = "2s"\n')
            code, text, problem = run("config", "show", "--json", "--config", file, "--collect-interval", "5s",
                                      COUNTERTOP_STORE_MAX_SIZE="128MiB", COUNTERTOP_COLLECT_INTERVAL="3s")
            self.assertEqual(code, 0, problem)
            shown = json.loads(text)
            plain = json.dumps(shown)
            for expected in ("5s", "128MiB", "7d"):
                self.assertIn(expected, plain)
            for unexpected in ("3s", "64MiB"):
                self.assertNotIn(unexpected, plain)
            code, text, _ = run("config", "show", "--config", file, COUNTERTOP_STORE_MAX_SIZE="128MiB")
            self.assertEqual(code, 0)
            self.assertIn("COUNTERTOP_STORE_MAX_SIZE", text)
            self.assertIn("countertop.toml", text)

    def test_what_is_not_known_is_refused_with_the_nearest_name(self):
        code, _, problem = run("serve", "--store-max-siz", "1GiB")
        self.assertEqual(code, 2)
        self.assertIn("--store-max-size", problem)
        code, _, problem = run("config", "show", COUNTERTOP_STORE_MAXSIZE="1GiB")
        self.assertEqual(code, 2)
        self.assertIn("COUNTERTOP_STORE_MAX_SIZE", problem)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "c.toml")
            with open(file, "w", encoding="utf-8") as out:
                out.write('[store]\n\nmaxsize = "1GiB"\n')
            code, _, problem = run("config", "show", "--config", file)
            self.assertEqual(code, 2)
            self.assertIn("max_size", problem)
            self.assertIn("3", problem)  # the line

    def test_values_that_make_no_sense_are_refused(self):
        for arguments in (["--store-max-size", "1MiB"], ["--store-max-size", "much"], ["--collect-interval", "1ms"],
                          ["--listen", "nowhere"], ["--listen", "127.0.0.1:99999"], ["--store-raw", "-1d"]):
            code, _, problem = run("config", "show", *arguments)
            self.assertEqual(code, 2, arguments)
            self.assertTrue(problem.strip(), arguments)

    def test_version_and_help(self):
        code, text, _ = run("--version")
        self.assertEqual(code, 0)
        self.assertRegex(text, r"countertop \d+\.\d+\.\d+")
        code, text, _ = run("--help")
        self.assertEqual(code, 0)
        self.assertIn("countertop sql", text)
        self.assertIn("Exit codes", text)


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = Program()
        cls.program.wait_for_value("cpu(total)/busy")
        time.sleep(3)

    @classmethod
    def tearDownClass(cls):
        cls.program.__exit__()

    def test_history_has_what_was_sampled(self):
        answer = self.program.api("/query", series=["cpu(total)/busy", "memory/available"], **{"from": "-10s"})
        self.assertEqual([one["path"] for one in answer["series"]], ["cpu(total)/busy", "memory/available"])
        numbers = [value for value in answer["series"][0]["avg"] if value is not None]
        self.assertGreaterEqual(len(numbers), 2)
        self.assertTrue(all(0 <= value <= 100 for value in numbers))
        self.assertEqual(answer["series"][1]["unit"], "bytes")

    def test_csv_and_json_say_the_same(self):
        end = int(time.time())
        wanted = dict(series="memory/available", step="1s", **{"from": end - 5, "to": end})
        rows = list(csv.reader(io.StringIO(self.program.get("/api/v1/query.csv", **wanted).text)))
        columns = self.program.api("/query", **wanted)
        self.assertEqual(rows[0], ["time", "memory/available [bytes]"])
        self.assertEqual([int(row[0]) for row in rows[1:]], columns["time"])
        self.assertEqual([float(row[1]) if row[1] else None for row in rows[1:]], columns["series"][0]["avg"])

    def test_raw_numbers_and_formula_give_the_value(self):
        latest = self.program.api("/latest", series="cpu(total)/busy", raw=1)["series"][0]
        raw = latest["raw"]
        n = raw["newer"]["value"] - raw["older"]["value"]
        b = raw["newer"]["base"] - raw["older"]["base"]
        self.assertAlmostEqual(latest["value"], 100 * n / b, places=6)
        self.assertIn("N1 - N0", raw["formula"])

    def test_every_path_that_is_printed_is_read(self):
        paths = [one["path"] for one in self.program.api("/latest")["series"]]
        self.assertGreater(len(paths), 50)
        for path in paths[:: max(len(paths) // 40, 1)]:
            again = self.program.api("/latest", series=path)["series"]
            self.assertEqual([one["path"] for one in again], [path])

    def test_processes_are_there_now_and_a_moment_ago(self):
        own = os.getpid()
        now = self.program.api("/processes", limit=100000)
        self.assertIn(own, [item["pid"] for item in now["items"]])
        past = self.program.api("/processes", at=time.time() - 2, limit=100000)
        self.assertIn(own, [item["pid"] for item in past["items"]])
        limited = self.program.api("/processes", sort="resident_bytes", limit=3)["items"]
        self.assertEqual(len(limited), 3)
        sizes = [item["resident_bytes"] for item in limited]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_objects_have_help_for_every_counter(self):
        names = {one["name"] for one in self.program.api("/objects")["objects"]}
        self.assertLessEqual({"cpu", "memory", "load", "system", "process", "countertop"}, names)
        for name in names:
            for counter in self.program.api("/objects/" + urllib.parse.quote(name))["counters"]:
                self.assertTrue(counter["help"], f"{name}/{counter['name']}")
                self.assertIsNotNone(counter["unit"])

    def test_status_names_collectors_store_and_own_cost(self):
        status = self.program.api("/status")
        self.assertIn("process", [collector["name"] for collector in status["collectors"]])
        self.assertTrue(all(collector["failures"] == 0 for collector in status["collectors"]), status["collectors"])
        self.assertGreater(status["store"]["bytes"], 0)
        self.assertEqual(status["store"]["max_bytes"], 2 << 30)
        self.assertGreater(status["self"]["resident_bytes"], 0)

    def test_an_export_is_the_history(self):
        rows = list(csv.reader(io.StringIO(self.program.get("/api/v1/export.csv", series="cpu(*)/busy",
                                                            **{"from": "-1m"}).text)))
        self.assertGreaterEqual(len(rows), 3)
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows))

    def test_the_page_is_part_of_the_program(self):
        page = self.program.get("/")
        self.assertEqual(page.status, 200)
        self.assertIn("text/html", page.headers["content-type"])
        self.assertEqual(self.program.get("/nothing").status, 404)
        self.assertEqual(self.program.get("/api/v1/latest", headers={"Host": "evil.example"}).status, 421)

    def test_notes_need_the_token(self):
        headers = {"Content-Type": "application/json"}
        body = json.dumps({"text": "hello"})
        self.assertEqual(self.program.request("POST", "/api/v1/marks", body, headers).status, 401)
        headers["Authorization"] = "Bearer " + self.program.token
        made = self.program.request("POST", "/api/v1/marks", body, headers)
        self.assertEqual(made.status, 201)
        texts = [mark["text"] for mark in self.program.api("/marks")["marks"]]
        self.assertIn("hello", texts)
        where = made.headers["location"]
        self.assertEqual(self.program.request("DELETE", where, headers=headers).status, 204)

    def test_samples_come_once_a_second_to_a_stream(self):
        events = Events(self.program, series=["cpu(total)/busy", "memory/available"])
        samples = events.wait_for_samples(4)
        events.close()
        times = [sample["data"]["t"] for sample in samples]
        for earlier, later in zip(times, times[1:]):
            self.assertAlmostEqual(later - earlier, 1, delta=0.5)
        self.assertEqual(set(samples[-1]["data"]["v"]), {"cpu(total)/busy", "memory/available"})

    def test_sql_sees_the_same(self):
        code, text, problem = run("sql", "--data", self.program.data, "--output", "csv",
                                  "select count(*) n from samples('memory/available', unixepoch() - 60, unixepoch())")
        self.assertEqual(code, 0, problem)
        self.assertGreaterEqual(int(text.split()[-1]), 2)

    def test_the_sqlite_shell_reads_a_history_that_is_being_written(self):
        extension = os.path.join(os.path.dirname(PROGRAM), "countertop_sqlite")
        self.program.wait_for_value("cpu(total)/busy")
        done = subprocess.run(
            ["sqlite3", "-readonly", os.path.join(self.program.data, "history.db"), f".load {extension}",
             "select count(*), min(value) >= 0, max(value) <= 100.001 from samples('cpu(total)/busy')"],
            capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual(done.stderr, "")
        count, at_least_zero, at_most_hundred = done.stdout.strip().split("|")
        self.assertGreater(int(count), 0)
        self.assertEqual((at_least_zero, at_most_hundred), ("1", "1"))


class Restart(unittest.TestCase):
    def test_a_stream_goes_on_across_a_restart_without_hole_or_duplicate(self):
        with tempfile.TemporaryDirectory() as data:
            series = ["cpu(total)/busy", "memory/available"]
            with Program(data=data) as first:
                first.wait_for_value("cpu(total)/busy")
                events = Events(first, series=series)
                seen = events.wait_for_samples(4)
                last_id = seen[1]["id"]
                self.assertEqual(first.stop(), 0)
                events.close()
            with Program(data=data) as second:
                second.wait_for_value("memory/available")
                resumed = Events(second, last_id=last_id, series=series)
                samples = resumed.wait_for_samples(len(seen) + 2)
                resumed.close()
                stored = second.api("/query", series="memory/available", **{"from": last_id, "to": "now"})
            times = [sample["data"]["t"] for sample in samples]
            self.assertEqual(times, sorted(set(times)))
            self.assertGreater(times[0], float(last_id))
            again = {sample["data"]["t"]: sample["data"]["v"] for sample in samples}
            for sample in seen[2:]:
                self.assertIn(sample["data"]["t"], again)
                self.assertEqual(again[sample["data"]["t"]], sample["data"]["v"])
            self.assertTrue(stored["gaps"] or stored["time"])

    def test_killed_at_any_moment_the_file_opens_and_nothing_committed_is_lost(self):
        with tempfile.TemporaryDirectory() as data:
            with Program(data=data) as first:
                first.wait_for_value("cpu(total)/busy")
                time.sleep(2.5)
                before = first.api("/query", series="memory/available", **{"from": "-20s"})
                first.kill()
            time.sleep(3)
            with Program(data=data) as second:
                second.wait_for_value("memory/available")
                after = second.api("/query", series="memory/available", **{"from": before["time"][0], "to": "now"})
                kinds = [mark["kind"] for mark in second.api("/marks")["marks"]]
            self.assertLessEqual(set(before["time"]), set(after["time"]))
            self.assertIn("crash", kinds)
            self.assertTrue(after["gaps"])


class Interval(unittest.TestCase):
    def test_another_interval_is_kept(self):
        with Program("--collect-interval", "200ms") as program:
            program.wait_for_value("cpu(total)/busy")
            events = Events(program, series="cpu(total)/busy")
            samples = events.wait_for_samples(8)
            events.close()
            self.assertLess(samples[7]["data"]["t"] - samples[0]["data"]["t"], 4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
