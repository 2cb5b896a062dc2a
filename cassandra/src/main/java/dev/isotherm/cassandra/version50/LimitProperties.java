// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.version50;

import dev.isotherm.cassandra.schema.TableLimits;
import java.util.Map;
import org.apache.cassandra.cql3.statements.PropertyDefinitions;
import org.apache.cassandra.cql3.statements.PropertyValues;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.TableParams;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * The properties of a CREATE or ALTER TABLE that set the table's limits: the option, or the extension that the schema
 * keeps and DESCRIBE prints.
 *
 * <p>Cassandra knows the property {@code extensions}, guards it and does not interpret it. The option is replaced by
 * this property before Cassandra's own checks: the guardrails for extensions therefore also apply to the option.
 */
public final class LimitProperties {
    private static final String EXTENSIONS = TableParams.Option.EXTENSIONS.toString();
    private static final String BLOB_PREFIX = "0x";

    private LimitProperties() {}

    /** Whether the statement sets limits. */
    public static boolean areIn(PropertyDefinitions properties) {
        return PropertyValues.has(properties, TableLimits.OPTION) || extension(properties) != null;
    }

    /** Whether the guardrails have kept the property that {@link #take} put in place of the option. */
    public static boolean areLeftIn(PropertyDefinitions properties) {
        return PropertyValues.has(properties, EXTENSIONS);
    }

    /**
     * Removes the option from the properties and leaves {@code extensions} in its place.
     *
     * @throws ConfigurationException when the limits are invalid
     */
    public static TableLimits take(PropertyDefinitions properties) {
        String extension = extension(properties);
        if (!PropertyValues.has(properties, TableLimits.OPTION)) {
            return decode(extension);
        }
        if (extension != null) {
            throw new ConfigurationException(TableLimits.OPTION + " is refused beside the extension '"
                    + TableLimits.EXTENSION + "', which says the same; allowed: one of the two");
        }
        TableLimits limits = TableLimits.parse(PropertyValues.mapOf(properties, TableLimits.OPTION));
        properties.removeProperty(TableLimits.OPTION);
        if (!PropertyValues.has(properties, EXTENSIONS)) {
            properties.addProperty(EXTENSIONS, Map.of());
        }
        return limits;
    }

    private static String extension(PropertyDefinitions properties) {
        Object extensions = PropertyValues.valueOf(properties, EXTENSIONS);
        // Cassandra does not check the value of extensions: it may not be a map.
        return extensions instanceof Map ? (String) ((Map<?, ?>) extensions).get(TableLimits.EXTENSION) : null;
    }

    private static TableLimits decode(String blob) {
        try {
            if (blob.startsWith(BLOB_PREFIX)) {
                return TableLimits.decode(ByteBufferUtil.hexToBytes(blob.substring(BLOB_PREFIX.length())));
            }
        } catch (RuntimeException unreadable) {
            throw notWritten(blob, ": " + unreadable.getMessage());
        }
        throw notWritten(blob, "");
    }

    private static ConfigurationException notWritten(String blob, String reason) {
        return new ConfigurationException("extension '" + TableLimits.EXTENSION + "': " + blob
                + " is refused; allowed: what DESCRIBE has printed, or the option " + TableLimits.OPTION + " instead"
                + reason);
    }
}
