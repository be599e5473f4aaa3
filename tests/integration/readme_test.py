"""Runs the README's shell lines as written, on a program of its own: only port, data directory and program are replaced."""

import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

import program

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
# Blocks that set up a machine are what `./dev` itself is tested with.
SET_UP = ("./dev run", "./dev test")


def shell_blocks():
    return re.findall(r"```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


class ReadmeTest(unittest.TestCase):
    def test_every_line_works_as_written(self):
        blocks = [block for block in shell_blocks() if not block.strip().startswith(SET_UP)]
        self.assertGreaterEqual(len(blocks), 3)
        with tempfile.TemporaryDirectory() as state:
            data = os.path.join(state, "countertop")
            with program.Program(data=data) as running:
                time.sleep(3)
                preamble = f"cd {state}\n"
                for block in blocks:
                    script = block.replace("127.0.0.1:7177", f"127.0.0.1:{running.port}")
                    script = script.replace("build/release/countertop", program.PROGRAM)
                    preamble = self.run_lines(preamble, script, state)

    def run_lines(self, preamble, script, state):
        """Each line after the assignments before it; gives all assignments so far."""
        for line in script.splitlines():
            if re.match(r"[A-Z]+=", line):
                preamble += line + "\n"
                continue
            if line.startswith("curl"):
                line = line.replace("curl ", "curl --fail-with-body ", 1)
            done = subprocess.run(["bash", "-euc", preamble + line], capture_output=True, text=True, timeout=60,
                                  env={**program.clean_environment(), "XDG_STATE_HOME": state}, check=False)
            self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}\n{done.stderr}")
            written = re.search(r"> (\S+)$", line)
            said = pathlib.Path(state, written.group(1)).read_text(encoding="utf-8") if written else done.stdout
            self.assertTrue(said.strip(), f"{line}\nsaid nothing")
        return preamble


if __name__ == "__main__":
    unittest.main()
