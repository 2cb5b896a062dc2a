// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks;

import dev.isotherm.benchmarks.accuracy.LimitAccuracy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/** Runs the microbenchmarks and the simulation of the limits' accuracy, or one of the two. */
public final class Main {
    private static final String USAGE =
            "usage: make bench [BENCH='[jmh] [limit-accuracy] [--only PART] [--quick] [--output FILE]']\n"
                    + "  jmh             the microbenchmarks only\n"
                    + "  limit-accuracy  the simulation of the per-partition limits only\n"
                    + "  --only PART     the microbenchmarks only, of those whose name has this part: FairShare\n"
                    + "  --quick         the microbenchmarks only and briefly: for a look, not for a comparison\n"
                    + "  --output FILE   where JMH's JSON goes; default results/benchmarks/jmh.json";
    private static final Path ACCURACY = Path.of("results", "limit-accuracy", "summary.json");

    private Main() {}

    public static void main(String[] args) throws IOException, RunnerException {
        boolean quick = false;
        boolean jmh = false;
        boolean accuracy = false;
        String only = "";
        Path output = Path.of("results", "benchmarks", "jmh.json");
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("jmh")) {
                jmh = true;
            } else if (args[i].equals("limit-accuracy")) {
                accuracy = true;
            } else if (args[i].equals("--only") && i + 1 < args.length) {
                only = args[++i];
                jmh = true;
            } else if (args[i].equals("--output") && i + 1 < args.length) {
                output = Path.of(args[++i]);
            } else {
                boolean help = args[i].equals("--help");
                (help ? System.out : System.err)
                        .println(help ? USAGE : "unknown or incomplete: " + args[i] + "\n" + USAGE);
                System.exit(help ? 0 : 2);
            }
        }
        boolean everything = !jmh && !accuracy;
        List<String> broken = new ArrayList<>();
        // The simulation runs first: other load does not affect it, and nothing must run beside the time measurements.
        if (accuracy || everything && !quick) {
            broken.addAll(new LimitAccuracy(System.out, System.err).run(ACCURACY));
        }
        if (jmh || everything) {
            broken.addAll(new Microbenchmarks(only, quick, output).run(System.out));
        }
        // Measured times depend on the machine and are only reported; what is simulated, and what operations allocate,
        // must hold on every machine.
        broken.forEach(sentence -> System.err.println("BROKEN: " + sentence));
        if (!broken.isEmpty()) {
            System.exit(1);
        }
    }
}
