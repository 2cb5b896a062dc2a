// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.benchmarks.accuracy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs all simulations, prints the tables, writes them as JSON and returns the broken promises. */
public final class LimitAccuracy {
    private final PrintStream out;
    private final PrintStream progress;
    private final AtomicInteger done = new AtomicInteger();
    private int total;

    /** @param progress receives lines that report the progress */
    public LimitAccuracy(PrintStream out, PrintStream progress) {
        this.out = out;
        this.progress = progress;
    }

    /** Runs the simulations, one thread per processor, and returns a sentence for each broken promise. */
    public List<String> run(Path summary) throws IOException {
        long begin = System.nanoTime();
        List<Callable<Row>> table = new ArrayList<>();
        for (Scenario scenario : AccuracyTable.scenarios()) {
            table.add(() -> new Measurement(scenario).measure());
        }
        List<Callable<SideRow>> beside = SideExperiments.all();
        total = table.size() + beside.size();
        List<Row> rows;
        List<SideRow> sideRows;
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<SideRow>> side = submit(beside, threads);
            rows = results(submit(table, threads));
            sideRows = results(side);
        } finally {
            threads.shutdownNow();
        }
        AccuracyTable.print(rows, out);
        SideExperiments.print(sideRows, out);
        Promises promises = new Promises();
        rows.forEach(promises::check);
        SideExperiments.check(sideRows, promises);
        write(summary, rows, sideRows, promises);
        out.printf("%nSimulated in %.0f s. Summary: %s%n", (System.nanoTime() - begin) / 1e9, summary);
        promises.impossible()
                .forEach(sentence -> out.println("Out of reach while each replica decides alone: " + sentence));
        return promises.broken();
    }

    private <T> List<Future<T>> submit(List<Callable<T>> tasks, ExecutorService threads) {
        List<Future<T>> futures = new ArrayList<>();
        for (Callable<T> task : tasks) {
            futures.add(threads.submit(() -> {
                T result = task.call();
                int number = done.incrementAndGet();
                if (number % 25 == 0 || number == total) {
                    progress.printf("limit-accuracy: %d of %d scenarios%n", number, total);
                }
                return result;
            }));
        }
        return futures;
    }

    private static <T> List<T> results(List<Future<T>> futures) {
        List<T> results = new ArrayList<>();
        try {
            for (Future<T> future : futures) {
                results.add(future.get());
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("a simulation failed", e);
        }
        return results;
    }

    private static void write(Path file, List<Row> rows, List<SideRow> beside, Promises promises) throws IOException {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("rows", rows);
        summary.put("beside", beside);
        summary.put("broken", promises.broken());
        summary.put("out_of_reach", promises.impossible());
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), summary);
    }
}
