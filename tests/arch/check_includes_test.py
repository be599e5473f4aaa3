"""Each rule finds a tree that breaks it, and a tree that keeps all rules passes."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import check_includes
import rules


class Rules(unittest.TestCase):
    def breaches(self, changes):
        """The breaches of a small good tree with some files changed or added (None: left out)."""
        files = {
            "collectors/core/clock.hpp": "#pragma once\n#include <chrono>\n",
            "collectors/core/clock_linux.cpp": '#include "collectors/core/clock.hpp"\n#include <unistd.h>\n',
            "collectors/core/README.md": "core\n",
            "server/history/store.cpp": '#include <sqlite3.h>\n#include "collectors/core/clock.hpp"\n',
            "server/history/README.md": "history\n",
            "server/main.cpp": '#include "collectors/core/clock.hpp"\n',
            "tests/README.md": "tests\n",
            "tests/unit/history/store_test.cpp": "#include <sqlite3.h>\n",
            "README.md": "Countertop\n",
            "build/junk/sample.cpp": '#include "nowhere.hpp"\n',
            **changes,
        }
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in files.items():
                if text is not None:
                    (root / path).parent.mkdir(parents=True, exist_ok=True)
                    (root / path).write_text(text)
            return check_includes.check(root)

    def assert_breach(self, changes, expected):
        found = self.breaches(changes)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def test_a_good_tree_passes(self):
        self.assertEqual(self.breaches({}), [])

    def test_a_collector_may_not_include_the_server(self):
        self.assert_breach({"collectors/core/clock.cpp": '#include "server/history/a.hpp"\n',
                            "server/history/a.hpp": "#pragma once\n"},
                           "collectors/core may not include server/history")

    def test_a_lower_room_may_not_include_a_higher_one(self):
        self.assert_breach({"server/history/bad.cpp": '#include "server/api/a.hpp"\n',
                            "server/api/a.hpp": "#pragma once\n", "server/api/README.md": "api\n"},
                           "server/history/bad.cpp:1: server/history may not include server/api")

    def test_collectors_may_not_include_each_other(self):
        self.assert_breach({"collectors/proc/bad.cpp": '#include "collectors/perflib/a.hpp"\n',
                            "collectors/perflib/a.hpp": "#pragma once\n",
                            "collectors/proc/README.md": "", "collectors/perflib/README.md": ""},
                           "collectors/proc may not include collectors/perflib")

    def test_the_product_may_not_include_tests(self):
        self.assert_breach({"server/history/bad.cpp": '#include "tests/support/a.hpp"\n',
                            "tests/support/a.hpp": "#pragma once\n"}, "includes a test's file")

    def test_libraries_stay_in_their_room(self):
        for header, path in [("sqlite3.h", "server/main.cpp"), ("nlohmann/json.hpp", "server/history/bad.cpp"),
                             ("httplib.h", "server/history/bad.cpp"), ("date/tz.h", "server/history/bad.cpp"),
                             ("toml++/toml.h", "server/history/bad.cpp")]:
            with self.subTest(header):
                self.assert_breach({path: f"#include <{header}>\n"}, f"<{header}> is only for")

    def test_headers_of_a_system_stay_in_files_named_after_it(self):
        for header in ("unistd.h", "sys/socket.h", "linux/perf_event.h", "windows.h"):
            with self.subTest(header):
                self.assert_breach({"collectors/core/clock.cpp": f"#include <{header}>\n"}, f"<{header}> is only for")
        self.assertEqual(self.breaches({"collectors/core/clock_windows.cpp": "#include <windows.h>\n"}), [])

    def test_a_slow_header_has_few_includers(self):
        servers = {f"server/http/server_{letter}.cpp": "#include <httplib.h>\n" for letter in "abcd"}
        self.assert_breach({**servers, "server/http/README.md": "http\n"}, "has 4 includers, at most 3")

    def test_no_ifdef_ladders(self):
        self.assert_breach({"server/main.cpp": "#if defined(_WIN32)\n#endif\n"}, "tests for an operating system")

    def test_own_headers_are_included_by_path_from_the_root(self):
        self.assert_breach({"collectors/core/clock.cpp": '#include "clock.hpp"\n'}, "is not a path from")
        self.assertEqual(self.breaches({"server/main.cpp": '#include "embedded/page.hpp"\n'}), [])

    def test_source_files_are_not_included(self):
        self.assert_breach({"server/main.cpp": '#include "server/history/store.cpp"\n'}, "includes the source file")

    def test_headers_have_a_guard(self):
        self.assert_breach({"server/history/a.hpp": "int a();\n"}, "has no #pragma once")

    def test_files_stay_short(self):
        self.assert_breach({"server/main.cpp": "\n" * 401}, "server/main.cpp: has 401 lines, at most 400")
        self.assertEqual(self.breaches({"server/main.cpp": "\n" * 400}), [])

    def test_a_debt_may_not_grow_and_is_forgotten_once_paid(self):
        with mock.patch.dict(rules.DEBTS, {"server/main.cpp": (500, "a reason")}):
            self.assertEqual(self.breaches({"server/main.cpp": "\n" * 500}), [])
            self.assert_breach({"server/main.cpp": "\n" * 501}, "at most 500")
            self.assert_breach({"server/main.cpp": "\n" * 400}, "is no debt any more")
            self.assert_breach({"server/main.cpp": None}, "does not exist")

    def test_the_top_of_the_tree_is_closed(self):
        self.assert_breach({"notes/plan.txt": "\n"}, "notes: does not belong at the top")
        self.assertEqual(self.breaches({".editorconfig": "\n"}), [])

    def test_words_of_one_machine_are_found(self):
        for text in ("see /wo" "rk/data", "open /tmp/stu" "dio", "// TO" "DO: later", "fixes issue " "12"):
            with self.subTest(text):
                self.assert_breach({"server/history/README.md": text + "\n"}, "server/history/README.md:1")

    def test_each_room_explains_itself(self):
        self.assert_breach({"server/history/README.md": None}, "server/history: has no README.md")

    def test_file_names_are_snake_case(self):
        self.assert_breach({"server/history/BadName.cpp": "\n"}, "is not snake_case")


if __name__ == "__main__":
    unittest.main()
