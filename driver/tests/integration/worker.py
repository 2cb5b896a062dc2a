# SPDX-License-Identifier: Apache-2.0
"""The client program in a process of its own, under the Python of one driver's virtual environment."""

import json
import subprocess
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).with_name("client.py")


class Worker:
    """A running client; calling one of its commands waits for the answer."""

    def __init__(self, driver: str, python: Path, addresses: list[str], log: Path):
        self.driver = driver
        self._log = log
        with log.open("w") as errors:
            self._process = subprocess.Popen(
                [str(python), str(CLIENT), *addresses],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        self._answer()

    def __call__(self, command: str, **arguments: Any) -> Any:
        """Have the client do it and return what it reports; its failure is ours."""
        self._process.stdin.write(json.dumps([command, arguments]) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def _answer(self) -> dict:
        line = self._process.stdout.readline()
        assert line, f"The client under {self.driver}-driver ended:\n{self._log.read_text()[-3000:]}"
        return json.loads(line)

    def close(self) -> None:
        """End the client, in order if it still listens."""
        if self._process.poll() is None:
            self._process.stdin.close()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
