// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.runtime.RuntimeSetting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of one section that change while the node runs. */
class ChangeableKeysTest {
    private final List<String> followed = new ArrayList<>();

    private static String made(ConfigSection section) {
        long least = section.nanos("least", "30ms", "1ms", "10s");
        long most = section.nanos("most", "1s", "1ms", "10s");
        if (most < least) {
            throw section.mistake("most", most / 1000 + "us", "s.least, " + least / 1000 + "us, or more");
        }
        return least / 1000 + " " + most / 1000 + " " + section.count("number", 7, 1, 9) + " "
                + section.fraction("part", 0.25, 0, 1) + " " + section.bytes("room", "2MiB", "64KiB", "1GiB");
    }

    private static ChangeableKeys<String> keys(String yaml) {
        return ConfigText.file(yaml).section("s").changeable(ChangeableKeysTest::made);
    }

    private Map<String, RuntimeSetting> settings(String yaml) {
        Map<String, RuntimeSetting> settings = new LinkedHashMap<>();
        ChangeableKeys<String> keys = keys(yaml);
        RuntimeSetting.keepable(
                        keys.names(),
                        keys::valueOf,
                        (name, value) -> keys.change(name, value, followed::add),
                        keys::refuseUnlessRight)
                .forEach(setting -> settings.put(setting.name(), setting));
        return settings;
    }

    private static String refused(RuntimeSetting setting, String value) {
        return assertThrows(IllegalArgumentException.class, () -> setting.change(value))
                .getMessage();
    }

    @Test
    void theyAreNamedAsInTheFileAndSayWhatTheFileOrTheDefaultSays() {
        Map<String, RuntimeSetting> settings = settings("s: {most: ' 2 s', part: 1, room: 1GiB}");
        assertEquals(List.of("s.least", "s.most", "s.number", "s.part", "s.room"), List.copyOf(settings.keySet()));
        assertEquals("30ms", settings.get("s.least").value());
        assertEquals("2 s", settings.get("s.most").value());
        assertEquals("7", settings.get("s.number").value());
        assertEquals("1.0", settings.get("s.part").value());
        assertEquals("1GiB", settings.get("s.room").value());
        assertTrue(settings.values().stream().allMatch(RuntimeSetting::isKeepable));
        assertEquals(
                "30000 2000000 7 1.0 1073741824",
                keys("s: {most: 2s, part: 1, room: 1GiB}").configured());
    }

    @Test
    void eachChangeIsFollowedWithTheOthersAsTheyAre() {
        Map<String, RuntimeSetting> settings = settings("s: {number: 3}");
        settings.get("s.least").change(" 40ms ");
        settings.get("s.number").change("9");
        settings.get("s.part").change("1e-1");
        settings.get("s.room").change("64KiB");
        assertEquals(
                List.of(
                        "40000 1000000 3 0.25 2097152",
                        "40000 1000000 9 0.25 2097152",
                        "40000 1000000 9 0.1 2097152",
                        "40000 1000000 9 0.1 65536"),
                followed);
        assertEquals("40ms", settings.get("s.least").value());
        assertEquals("0.1", settings.get("s.part").value(), "as it is kept: a file's 1e-1 is no number");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s.least  | 40      | a number with a unit: 500us, 10ms, 90s or 2m, from 1ms to 10s",
                "s.least  | 11s     | a number with a unit: 500us, 10ms, 90s or 2m, from 1ms to 10s",
                "s.least  | ''      | a number with a unit: 500us, 10ms, 90s or 2m, from 1ms to 10s",
                "s.least  | 2s      | values for which s.most, 1000000us, is right: s.least, 2000000us, or more",
                "s.most   | 20ms    | s.least, 30000us, or more",
                "s.number | 10      | a whole number from 1 to 9",
                "s.number | 1.0     | a whole number from 1 to 9",
                "s.number | many    | a whole number from 1 to 9",
                "s.number | {a: b}  | a whole number from 1 to 9",
                "s.part   | 1.1     | a number from 0.0 to 1.0",
                "s.part   | NaN     | a number from 0.0 to 1.0",
                "s.part   | 1f      | a number from 0.0 to 1.0",
                "s.room   | 2GiB    | a number with a unit: 512KiB, 2MiB or 1GiB, from 64KiB to 1GiB"
            })
    void aWrongValueIsRefusedWithWhatIsAllowedAndChangesNothing(String name, String value, String allowed) {
        Map<String, RuntimeSetting> settings = settings("");
        String before = settings.get(name).value();
        assertEquals(allowed, refused(settings.get(name), value));
        assertEquals(before, settings.get(name).value());
        assertEquals(List.of(), followed);
    }

    /** Whatever runs meanwhile: the next process begins with the file. */
    @Test
    void valuesToBeginWithHaveToGoWithTheFilesOthers() {
        ChangeableKeys<String> keys = keys("s: {most: 1s}");
        keys.change("s.most", "9s", followed::add);
        keys.refuseUnlessRight(Map.of());
        keys.refuseUnlessRight(Map.of("s.least", "1s"));
        keys.refuseUnlessRight(Map.of("s.least", "2s", "s.most", "3s"));
        assertEquals(
                "s.most: 1000000us is refused; allowed: s.least, 2000000us, or more",
                assertThrows(IllegalArgumentException.class, () -> keys.refuseUnlessRight(Map.of("s.least", "2s")))
                        .getMessage());
        assertEquals("9s", keys.valueOf("s.most"));
    }

    @Test
    void whatTheFollowerRefusesIsNotShown() {
        ChangeableKeys<String> keys = keys("");
        assertThrows(
                IllegalArgumentException.class,
                () -> keys.change("s.number", "8", made -> {
                    throw new IllegalArgumentException("nothing now");
                }));
        assertEquals("7", keys.valueOf("s.number"));
    }

    @Test
    void theyAreKnownToTheSectionAndAMistakeInTheFileIsOne() {
        ConfigSection section = ConfigText.file("s: {least: 40ms, lest: 1ms}").section("s");
        section.changeable(ChangeableKeysTest::made);
        ConfigurationException mistake = assertThrows(ConfigurationException.class, section::refuseUnknownKeys);
        assertTrue(mistake.getMessage().contains("s.lest: 1ms is refused"), mistake.getMessage());
        ConfigurationException wrong = assertThrows(ConfigurationException.class, () -> keys("s: {least: 2s}"));
        assertEquals(
                "isotherm.yaml: s.most: 1000000us is refused; allowed: s.least, 2000000us, or more",
                wrong.getMessage());
    }
}
