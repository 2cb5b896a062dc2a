// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.runtime;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.gms.EndpointState;

/** When a node's process started, as gossip says. */
public final class ProcessStart {
    private ProcessStart() {}

    /** The instant on that node's clock, milliseconds: a process's generation is the second in which it started. */
    public static long millis(EndpointState state) {
        return TimeUnit.SECONDS.toMillis(state.getHeartBeatState().getGeneration());
    }
}
