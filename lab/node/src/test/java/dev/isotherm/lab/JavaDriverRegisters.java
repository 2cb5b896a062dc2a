// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads and writes registers with the Java driver and its defaults, at QUORUM, until its standard input ends, and
 * prints every operation.
 *
 * <p>Arguments: the local datacenter, the table, the first key, the number of keys (a multiple of 4), a seed, and the
 * addresses of all nodes separated by commas. Each key has one writer, which writes 1, 2, 3 and so on. A line printed
 * is {@code read} or {@code write}, the key, the value, the instants of {@link System#nanoTime} when it began and
 * ended, and the class of the exception or {@code -}.
 */
final class JavaDriverRegisters {
    private static final int PORT = 9042;
    private static final int THREADS = 4;
    private static final long PAUSE_MILLIS = 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final CqlSession session;
    private final PreparedStatement write;
    private final PreparedStatement read;
    private final CountDownLatch over = new CountDownLatch(1);

    private JavaDriverRegisters(CqlSession session, String table) {
        this.session = session;
        write = prepared("INSERT INTO " + table + " (key, value) VALUES (?, ?)");
        read = prepared("SELECT value FROM " + table + " WHERE key = ?");
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        CqlSessionBuilder builder = CqlSession.builder().withLocalDatacenter(arguments[0]);
        for (String address : arguments[5].split(",")) {
            builder.addContactPoint(new InetSocketAddress(address, PORT));
        }
        try (CqlSession session = builder.build()) {
            new JavaDriverRegisters(session, arguments[1])
                    .run(
                            Long.parseLong(arguments[2]),
                            Integer.parseInt(arguments[3]),
                            new SplittableRandom(Long.parseLong(arguments[4])));
        }
    }

    /** Idempotent: a request whose coordinator goes is sent to another, with the same value and timestamp. */
    private PreparedStatement prepared(String query) {
        return session.prepare(SimpleStatement.newInstance(query)
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
                .setIdempotent(true));
    }

    private void run(long first, int keys, SplittableRandom random) throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            SplittableRandom own = random.split();
            threads.add(new Thread(() -> write(first, keys, number)));
            threads.add(new Thread(() -> read(first, keys, own)));
        }
        threads.forEach(Thread::start);
        while (System.in.read() >= 0) {
            // Whoever started this closes its standard input to end it.
        }
        over.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void write(long first, int keys, int number) {
        for (long turn = 0; pause(); turn++) {
            long place = turn * THREADS + number;
            long key = first + place % keys;
            long value = place / keys + 1;
            record("write", key, value, () -> {
                session.execute(timed(write.bind(key, value)));
                return value;
            });
        }
    }

    private void read(long first, int keys, SplittableRandom random) {
        while (pause()) {
            long key = first + random.nextInt(keys);
            record("read", key, 0, () -> {
                Row row = session.execute(timed(read.bind(key))).one();
                return row == null ? 0 : row.getLong(0);
            });
        }
    }

    private static BoundStatement timed(BoundStatement statement) {
        return statement.setTimeout(TIMEOUT);
    }

    private boolean pause() {
        try {
            return !over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Executes an operation; {@code value} stands for what it returns, should it fail. */
    private static void record(String kind, long key, long value, Supplier<Long> operation) {
        long began = System.nanoTime();
        long seen = value;
        String error = "-";
        try {
            seen = operation.get();
        } catch (DriverException e) {
            error = e.getClass().getSimpleName();
        }
        long ended = System.nanoTime();
        // One call: lines of different threads do not mix.
        System.out.println(kind + ' ' + key + ' ' + seen + ' ' + began + ' ' + ended + ' ' + error);
    }
}
