# SPDX-License-Identifier: Apache-2.0
"""Where the package cannot be built, the build says why in a sentence, before it translates anything."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SETUP = Path(__file__).parents[2] / "setup.py"
ELSEWHERE = "import os; vars(os).pop('sched_getaffinity', None); os.cpu_count = lambda: None; "
FREE_THREADED = "import sysconfig; sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1; "

pytestmark = pytest.mark.skipif(
    not SETUP.exists() or find_spec("setuptools") is None, reason="a build needs the repository and setuptools"
)


@pytest.fixture
def sdist(tmp_path: Path) -> Path:
    """The least sdist there is: its version, its one module in Cython, and the build."""
    shutil.copy(SETUP, tmp_path)
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: isotherm-driver\nVersion: 1.0\n")
    (tmp_path / "src" / "isotherm_driver").mkdir(parents=True)
    (tmp_path / "src" / "isotherm_driver" / "nothing.pyx").touch()
    return tmp_path


def build(sdist: Path, before: str = "", **environment: str) -> subprocess.CompletedProcess:
    program = f"{before}import sys; sys.argv = ['setup.py', '-q', 'build_ext']; exec(open('setup.py').read())"
    return subprocess.run(
        [sys.executable, "-c", program], cwd=sdist, env=environment, capture_output=True, text=True, check=False
    )


def test_without_a_compiler_it_says_what_it_lacks(sdist: Path) -> None:
    done = build(sdist, CC="/nonexistent/cc")
    assert done.returncode == 1
    assert "needs a C compiler (gcc or clang) and the headers of this Python" in done.stderr
    assert not list(sdist.rglob("nothing.c"))


def test_a_free_threaded_python_is_refused_with_a_reason(sdist: Path) -> None:
    done = build(sdist, FREE_THREADED)
    assert done.returncode == 1
    assert "rely on the global\ninterpreter lock" in done.stderr


def test_it_builds_where_the_system_does_not_say_which_processors_it_may_use(sdist: Path) -> None:
    pytest.importorskip("Cython")
    done = build(sdist, ELSEWHERE, **os.environ)
    assert done.returncode == 0, done.stderr
    assert list(sdist.rglob("native*.so"))
