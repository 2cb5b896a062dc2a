// SPDX-License-Identifier: Apache-2.0
package org.apache.cassandra.cql3.statements;

import java.util.Map;

/**
 * The values of a statement's properties.
 *
 * <p>In Cassandra the names of properties are public; their values are visible only in this package.
 */
public final class PropertyValues {
    private PropertyValues() {}

    /** Whether the statement has the property. Cassandra's own method for it has another result type in 4.1. */
    public static boolean has(PropertyDefinitions properties, String name) {
        return properties.properties.containsKey(name);
    }

    /** A text, or a map of texts; null when the statement has no such property. */
    public static Object valueOf(PropertyDefinitions properties, String name) {
        return properties.properties.get(name);
    }

    /**
     * A map; null when the statement has no such property.
     *
     * @throws org.apache.cassandra.exceptions.SyntaxException when the value is not a map
     */
    public static Map<String, String> mapOf(PropertyDefinitions properties, String name) {
        return properties.getMap(name);
    }
}
