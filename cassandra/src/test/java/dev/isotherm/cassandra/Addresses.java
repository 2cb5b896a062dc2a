// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra;

import java.net.UnknownHostException;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Node addresses for tests. */
public final class Addresses {
    private Addresses() {}

    public static InetAddressAndPort node(int number) {
        try {
            return InetAddressAndPort.getByNameOverrideDefaults("127.0.0." + number, 7000);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
