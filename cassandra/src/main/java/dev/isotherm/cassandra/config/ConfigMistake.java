// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.config;

import org.apache.cassandra.exceptions.ConfigurationException;

/** Refuses a value of {@code isotherm.yaml}, with a sentence that names the key, the value and what is allowed. */
final class ConfigMistake extends ConfigurationException {
    private static final long serialVersionUID = 1;

    private final String key;
    private final String value;
    private final String allowed;

    ConfigMistake(String key, Object value, String allowed) {
        super("isotherm.yaml: " + sentence(key, value, allowed), false);
        this.key = key;
        this.value = String.valueOf(value);
        this.allowed = allowed;
    }

    /** The sentence without the name of the file. */
    String sentence() {
        return sentence(key, value, allowed);
    }

    private static String sentence(String key, Object value, String allowed) {
        return key + ": " + value + " is refused; allowed: " + allowed;
    }

    /** What is allowed for a key: of another key that no longer goes with it, what that one has to be. */
    String allowedFor(String changed) {
        return key.equals(changed) ? allowed : "values for which " + key + ", " + value + ", is right: " + allowed;
    }
}
