// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.lab;

import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;

/**
 * A node that reports its admissions as many nodes would: each report that the plugin sends, sent several times.
 *
 * <p>A replica of a large cluster hears of its busy partitions from hundreds of coordinators; the lab has three nodes.
 */
final class RepeatedReports {
    private static final RepeatedReports NODE = new RepeatedReports();

    /** The parameter that makes a message a report of admissions; the plugin's wire format, as its peers see it. */
    private static final String REPORT = "isotherm.admitted";

    /** Set on the thread that sends a report once more. */
    private final ThreadLocal<Boolean> again = new ThreadLocal<>();

    private boolean attached;
    private volatile int times = 1;

    private RepeatedReports() {}

    /** The reports that this process sends. */
    static RepeatedReports ofNode() {
        return NODE;
    }

    /** Sends each report, from now on, so many times. */
    synchronized void send(int manyTimes) {
        if (manyTimes < 1) {
            throw new IllegalArgumentException("reports are sent once or more often, not " + manyTimes + " times");
        }
        if (!attached) {
            MessagingService.instance().outboundSink.add((message, to) -> {
                if (times > 1 && again.get() == null && isReport(message)) {
                    repeat(message, to);
                }
                return true;
            });
            attached = true;
        }
        times = manyTimes;
    }

    private static boolean isReport(Message<?> message) {
        Map<String, byte[]> params = message.header.customParams();
        return params != null && params.containsKey(REPORT);
    }

    private void repeat(Message<?> report, InetAddressAndPort to) {
        again.set(true);
        try {
            for (int sent = 1; sent < times; sent++) {
                MessagingService.instance().send(report, to);
            }
        } finally {
            again.remove();
        }
    }
}
