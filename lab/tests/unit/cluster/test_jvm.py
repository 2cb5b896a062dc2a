# SPDX-License-Identifier: Apache-2.0
"""What the Java command line of a node makes of it, seen on a small program."""

import subprocess
from pathlib import Path

from isotherm_lab.cluster.java import java_command
from isotherm_lab.cluster.jvm import COLLECTOR

#: Holds 60 MB, lets go of a two-hundredth at a time and prints the line of the arrays of int in the heap's histogram.
#: It has none of its own that come or go.
_LETS_GO = """\
class LetsGo {
    static final byte[][] HELD = new byte[60_000][];

    public static void main(String[] arguments) throws Exception {
        for (int place = 0; place < HELD.length; place++) {
            HELD[place] = new byte[1_000];
        }
        for (int turn = 0; turn < 8; turn++) {
            for (int place = turn; place < HELD.length; place += 200) {
                HELD[place] = null;
            }
            String histogram = (String) java.lang.management.ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new javax.management.ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            histogram.lines().filter(line -> line.contains(" [I ")).forEach(System.out::println);
        }
    }
}
"""


def test_what_is_dead_is_not_counted_as_live_after_any_full_collection(tmp_path: Path):
    source = tmp_path / "LetsGo.java"
    source.write_text(_LETS_GO)
    ran = subprocess.run(
        [java_command(), "-Xms256m", "-Xmx256m", *COLLECTOR, source], capture_output=True, text=True, check=True
    )
    counted = [line.split()[1:3] for line in ran.stdout.splitlines()]
    assert len(counted) == 8
    assert all(each == counted[0] for each in counted)
