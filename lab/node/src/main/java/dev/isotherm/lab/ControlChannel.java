// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeSet;

/**
 * A directory through which an experiment sends commands to its node.
 *
 * <p>A file named {@code <command>} or {@code <command>-<anything>} is one order; its content is the argument. When
 * carried out it is renamed to {@code <name>.done}; when it fails, {@code <name>.error} holds the reason. Names with
 * a dot are ignored, so an order is written as {@code name.tmp} and renamed when complete.
 */
final class ControlChannel implements Runnable {
    private static final long POLL_MILLIS = 200;

    /** The action of an order, given its argument. */
    interface Command {
        void run(String argument) throws Exception;
    }

    private final Path directory;
    private final Map<String, Command> commands;

    ControlChannel(Path directory, Map<String, Command> commands) {
        this.directory = directory;
        this.commands = commands;
    }

    @Override
    public void run() {
        try {
            Files.createDirectories(directory);
            while (true) {
                poll();
                Thread.sleep(POLL_MILLIS);
            }
        } catch (IOException e) {
            System.err.println("The control channel " + directory + " cannot be read and stops: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Executes the present orders, in the order of their names. */
    void poll() throws IOException {
        TreeSet<Path> orders = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (file.getFileName().toString().indexOf('.') < 0) {
                    orders.add(file);
                }
            }
        }
        for (Path order : orders) {
            carryOut(order);
        }
    }

    private void carryOut(Path order) throws IOException {
        String name = order.getFileName().toString();
        try {
            String argument = Files.readString(order, StandardCharsets.UTF_8).strip();
            Command command = commands.get(name.split("-", 2)[0]);
            if (command == null) {
                throw new IllegalArgumentException("unknown command; known are " + new TreeSet<>(commands.keySet()));
            }
            command.run(argument);
            Files.move(order, order.resolveSibling(name + ".done"), StandardCopyOption.REPLACE_EXISTING);
        } catch (Exception | Error e) {
            Files.writeString(order.resolveSibling(name + ".error.tmp"), e.toString(), StandardCharsets.UTF_8);
            Files.move(
                    order.resolveSibling(name + ".error.tmp"),
                    order.resolveSibling(name + ".error"),
                    StandardCopyOption.REPLACE_EXISTING);
            Files.deleteIfExists(order);
        }
    }
}
