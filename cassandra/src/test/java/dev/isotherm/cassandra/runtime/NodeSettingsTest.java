// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What runs, what the configuration says, since when, and what outlives the process. */
class NodeSettingsTest {
    private final RuntimeSwitch enabled = new RuntimeSwitch(true);
    private final RuntimeSetting passing = new RuntimeSetting("guard.out", () -> "0s", value -> {});
    private Map<String, String> stored = Map.of();
    private boolean full;
    private long now = 1_000;
    private final NodeSettings settings =
            new NodeSettings(List.of(enabled.setting("heat.enabled"), passing), this::store, () -> now);

    private void store(Map<String, String> values) {
        if (full) {
            throw new IllegalArgumentException("the disk is full");
        }
        stored = Map.copyOf(values);
    }

    private NodeSettings.Entry heat() {
        return settings.entries().get(0);
    }

    private static String sentence(Runnable change) {
        return assertThrows(IllegalArgumentException.class, change::run).getMessage();
    }

    @Test
    void aChangeShowsBesideTheConfigurationSinceWhenItRuns() {
        assertEquals(1_000, heat().sinceMillis());
        now = 2_000;
        settings.change("heat.enabled", "false");
        assertEquals("false", heat().value());
        assertEquals("true", heat().configured());
        assertEquals(2_000, heat().sinceMillis());
        assertFalse(enabled.isOn());
        assertEquals(Map.of(), stored, "nobody asked for more");
    }

    @Test
    void whatIsKeptFollowsTheChangesUntilItIsNoLonger() {
        settings.keep("heat.enabled", true);
        assertEquals(Map.of("heat.enabled", "true"), stored);
        settings.change("heat.enabled", "false");
        assertEquals(Map.of("heat.enabled", "false"), stored);
        assertTrue(heat().isKept());
        settings.keep("heat.enabled", false);
        assertEquals(Map.of(), stored);
        assertEquals("false", heat().value(), "it runs on until the process ends");
    }

    /** As a file on a disk that hangs. */
    @Test
    void whileSomethingIsStoredWhatNeedNotBeIsChanged() throws InterruptedException {
        RuntimeSwitch guard = new RuntimeSwitch(true);
        CountDownLatch stores = new CountDownLatch(1);
        CountDownLatch disk = new CountDownLatch(1);
        Map<String, String> last = new ConcurrentHashMap<>();
        NodeSettings node = new NodeSettings(
                List.of(enabled.setting("heat.enabled"), guard.setting("guard.enabled")),
                values -> {
                    stores.countDown();
                    Uninterruptibles.awaitUninterruptibly(disk);
                    last.clear();
                    last.putAll(values);
                },
                () -> now);
        Thread keeps = new Thread(() -> node.change("heat.enabled", "false", true));
        keeps.start();
        stores.await();
        assertFalse(enabled.isOn(), "the value runs before it is stored");
        node.change("guard.enabled", "false");
        assertFalse(guard.isOn());
        Thread keepsNoMore = new Thread(() -> node.change("heat.enabled", "true", false));
        keepsNoMore.start();
        while (!enabled.isOn()) {
            Thread.onSpinWait();
        }
        disk.countDown();
        keeps.join();
        keepsNoMore.join();
        assertEquals(Map.of(), last, "what runs last is said to end with the process");
        assertFalse(node.entries().get(0).isKept());
    }

    @Test
    void aValueAndThatItIsKeptAreSetTogether() {
        settings.change("heat.enabled", "false", true);
        assertEquals(Map.of("heat.enabled", "false"), stored);
        assertTrue(heat().isKept());
        assertEquals("false", heat().value());
        settings.change("heat.enabled", "true", false);
        assertEquals(Map.of(), stored);
        assertFalse(heat().isKept());
        assertEquals("true", heat().value());
    }

    @Test
    void aRefusedValueIsNotKeptAndLeavesTheOneBeforeAsItWas() {
        assertThrows(IllegalArgumentException.class, () -> settings.change("heat.enabled", "onn", true));
        assertEquals(Map.of(), stored);
        assertFalse(heat().isKept());
        assertEquals("true", heat().value());
        assertTrue(sentence(() -> settings.change("guard.out", "9s", true)).contains("kept: true is refused"));
    }

    @Test
    void aValueThatCannotBeKeptDoesNotRunEither() {
        full = true;
        now = 2_000;
        assertTrue(
                sentence(() -> settings.change("heat.enabled", "false", true)).contains("the disk is full"));
        assertEquals("true", heat().value());
        assertTrue(enabled.isOn());
        assertEquals(1_000, heat().sinceMillis());
        assertFalse(heat().isKept());
        full = false;
        settings.keep("heat.enabled", true);
        full = true;
        assertTrue(sentence(() -> settings.change("heat.enabled", "false")).contains("the disk is full"));
        assertTrue(enabled.isOn());
        assertEquals(Map.of("heat.enabled", "true"), stored);
    }

    @Test
    void whatIsNotToBeKeptRunsAlsoWhereTheKeptValueCannotBeTakenOut() {
        settings.keep("heat.enabled", true);
        full = true;
        assertEquals(
                "heat.enabled: false runs, but the next process begins with what was kept: the disk is full",
                sentence(() -> settings.change("heat.enabled", "false", false)));
        assertFalse(enabled.isOn());
        assertTrue(heat().isKept());
        assertEquals(Map.of("heat.enabled", "true"), stored);
        full = false;
        settings.keep("heat.enabled", false);
        assertFalse(enabled.isOn());
        assertEquals(Map.of(), stored);
    }

    @Test
    void theNextProcessBeginsWithWhatWasKept() {
        settings.restore(Map.of("heat.enabled", "false"));
        assertFalse(enabled.isOn());
        assertEquals("true", heat().configured());
        assertTrue(heat().isKept());
    }

    @Test
    void whatThisProcessDoesNotKnowIsKeptForTheNext() {
        settings.keepForLater(Map.of("limit.enabled", "false"));
        settings.change("heat.enabled", "false", true);
        assertEquals(Map.of("heat.enabled", "false", "limit.enabled", "false"), stored);
        settings.keep("heat.enabled", false);
        assertEquals(Map.of("limit.enabled", "false"), stored);
    }

    /** As the least of something and the most of it: one change at a time can pass through what is not allowed. */
    @Test
    void whatWasKeptMayGoTogetherThoughNoOrderIsRightForAll() {
        int[] bounds = {1, 3};
        RuntimeSetting least = bound("a.least", 0, bounds);
        RuntimeSetting most = bound("b.most", 1, bounds);
        NodeSettings both = new NodeSettings(List.of(least, most), this::store, () -> now);
        both.restore(Map.of("a.least", "5", "b.most", "9"));
        assertEquals("5 9", least.value() + " " + most.value());
        NodeSettings again = new NodeSettings(List.of(least, most), this::store, () -> now);
        again.restore(Map.of("a.least", "1", "b.most", "2"));
        assertEquals("1 2", least.value() + " " + most.value());
        assertEquals(
                "a.least: 7 is refused; allowed: in order",
                sentence(() -> both.restore(Map.of("a.least", "7", "b.most", "6"))));
    }

    /** A statement that a node accepts must not keep it from starting: it would read this beside its configuration. */
    @Test
    void whatGoesWithAValueThatRunsAloneIsNotKept() {
        Map<String, Integer> running = new TreeMap<>(Map.of("a.least", 1, "b.most", 3));
        List<RuntimeSetting> settings = RuntimeSetting.keepable(
                List.copyOf(running.keySet()),
                name -> running.get(name).toString(),
                (name, value) -> running.put(name, Integer.valueOf(value)),
                kept -> {
                    int most = Integer.parseInt(kept.getOrDefault("b.most", "3"));
                    if (Integer.parseInt(kept.getOrDefault("a.least", "1")) > most) {
                        throw new IllegalArgumentException("b.most is " + most);
                    }
                });
        NodeSettings both = new NodeSettings(settings, this::store, () -> now);
        both.change("b.most", "9", false);
        assertEquals(
                "a.least: kept: true is refused; allowed: false: b.most is 3",
                sentence(() -> both.change("a.least", "5", true)));
        assertEquals(Map.of("a.least", 1, "b.most", 9), running);
        assertEquals(Map.of(), stored);
        both.keep("b.most", true);
        both.change("a.least", "5", true);
        assertEquals(Map.of("a.least", "5", "b.most", "9"), stored);
        assertEquals(
                "b.most: 8 runs, but the next process begins with what was kept: b.most is 3",
                sentence(() -> both.change("b.most", "8", false)));
        assertEquals(Map.of("a.least", "5", "b.most", "9"), stored);
    }

    private static RuntimeSetting bound(String name, int index, int[] bounds) {
        return new RuntimeSetting(name, () -> Integer.toString(bounds[index]), value -> {
                    int[] changed = bounds.clone();
                    changed[index] = Integer.parseInt(value);
                    if (changed[0] > changed[1]) {
                        throw new IllegalArgumentException("in order");
                    }
                    bounds[index] = changed[index];
                })
                .keepable();
    }

    @Test
    void aWrongValueIsRefusedAndNothingIsStored() {
        settings.keep("heat.enabled", true);
        assertEquals(
                "heat.enabled: maybe is refused; allowed: true, false",
                sentence(() -> settings.change("heat.enabled", "maybe")));
        assertEquals(
                "heat.enabled: maybe is refused; allowed: true, false",
                sentence(() -> settings.restore(Map.of("heat.enabled", "maybe"))));
        assertEquals(
                "name: heat.warmth is refused; allowed: heat.enabled, guard.out",
                sentence(() -> settings.restore(Map.of("heat.warmth", "1"))));
        assertEquals(Map.of("heat.enabled", "true"), stored);
    }

    @Test
    void whatEndsWithTheProcessIsNotKept() {
        String refused = "guard.out: kept: true is refused; allowed: false: this setting ends with the process";
        assertEquals(refused, sentence(() -> settings.keep("guard.out", true)));
        assertEquals(refused, sentence(() -> settings.restore(Map.of("guard.out", "1s"))));
    }

    @Test
    void whatCannotBeStoredIsNotKept() {
        full = true;
        assertEquals(
                "heat.enabled: kept: true is refused; allowed: false: the disk is full",
                sentence(() -> settings.keep("heat.enabled", true)));
        assertFalse(heat().isKept());
    }
}
