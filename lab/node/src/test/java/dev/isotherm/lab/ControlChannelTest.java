// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlChannelTest {
    @TempDir
    Path directory;

    private final List<String> ran = new ArrayList<>();

    private ControlChannel channel() {
        return new ControlChannel(directory, Map.of("say", ran::add, "fail", argument -> {
            throw new IllegalStateException("no " + argument);
        }));
    }

    @Test
    void ordersRunInTheOrderOfTheirNamesAndAreMarkedDone() throws IOException {
        Files.writeString(directory.resolve("say-2"), "second\n");
        Files.writeString(directory.resolve("say-1"), "first\n");
        channel().poll();
        assertEquals(List.of("first", "second"), ran);
        assertTrue(Files.exists(directory.resolve("say-1.done")));
        assertFalse(Files.exists(directory.resolve("say-1")));
        channel().poll();
        assertEquals(2, ran.size());
    }

    @Test
    void aFailureLeavesItsReasonAndDoesNotStopTheNextOrder() throws IOException {
        Files.writeString(directory.resolve("fail"), "luck");
        Files.writeString(directory.resolve("say"), "on");
        channel().poll();
        assertTrue(Files.readString(directory.resolve("fail.error")).contains("no luck"));
        assertFalse(Files.exists(directory.resolve("fail")));
        assertEquals(List.of("on"), ran);
    }

    @Test
    void anUnknownOrderNamesTheKnownOnes() throws IOException {
        Files.writeString(directory.resolve("sing"), "");
        channel().poll();
        assertTrue(Files.readString(directory.resolve("sing.error")).contains("[fail, say]"));
    }

    @Test
    void anIncompleteOrderIsLeftAlone() throws IOException {
        Files.writeString(directory.resolve("say.tmp"), "half");
        channel().poll();
        assertEquals(List.of(), ran);
        assertTrue(Files.exists(directory.resolve("say.tmp")));
    }
}
