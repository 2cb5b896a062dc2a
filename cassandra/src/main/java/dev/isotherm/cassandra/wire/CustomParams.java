// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.wire;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;

/** The custom parameters of a message's header, which nodes without the plugin ignore. */
public final class CustomParams {
    private CustomParams() {}

    /** The parameter's value; null if the message does not carry it. */
    public static byte[] of(Message<?> message, String name) {
        Map<String, byte[]> params = allOf(message);
        return params == null ? null : params.get(name);
    }

    /** All that the message carries, by name; null if it carries none, as most do. */
    static Map<String, byte[]> allOf(Message<?> message) {
        return message.header.customParams();
    }

    /** The same message with one more parameter. */
    public static <T> Message<T> with(Message<T> message, String name, byte[] value) {
        Map<String, byte[]> params = new HashMap<>();
        Map<String, byte[]> present = allOf(message);
        if (present != null) {
            params.putAll(present);
        }
        params.put(name, value);
        return message.withParam(ParamType.CUSTOM_MAP, params);
    }
}
