// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.limit;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.locator.InetAddressAndPort;

/** What one replica is asked at once: to decide about some partitions. */
final class AdmissionQuestion {
    final InetAddressAndPort replica;
    final List<TouchedPartition> asked;
    final byte[] encoded;

    AdmissionQuestion(InetAddressAndPort replica, List<TouchedPartition> asked, byte[] encoded) {
        this.replica = replica;
        this.asked = asked;
        this.encoded = encoded;
    }

    /**
     * As many questions as it takes to ask about all of these partitions, but those whose token alone is
     * {@linkplain AdmissionParam#MOST_BYTES too long}.
     */
    static List<AdmissionQuestion> about(InetAddressAndPort replica, List<TouchedPartition> partitions, int random) {
        List<AdmissionQuestion> questions = new ArrayList<>();
        List<TouchedPartition> asked = new ArrayList<>();
        int bytes = AdmissionParam.HEADER_BYTES;
        for (TouchedPartition partition : partitions) {
            int more = AdmissionParam.bytesOf(partition);
            if (AdmissionParam.HEADER_BYTES + more > AdmissionParam.MOST_BYTES) {
                continue;
            }
            if (bytes + more > AdmissionParam.MOST_BYTES) {
                questions.add(about(asked, replica, random));
                asked = new ArrayList<>();
                bytes = AdmissionParam.HEADER_BYTES;
            }
            asked.add(partition);
            bytes += more;
        }
        if (!asked.isEmpty()) {
            questions.add(about(asked, replica, random));
        }
        return questions;
    }

    private static AdmissionQuestion about(List<TouchedPartition> asked, InetAddressAndPort replica, int random) {
        return new AdmissionQuestion(replica, asked, AdmissionParam.encode(0, random, 1, asked));
    }
}
