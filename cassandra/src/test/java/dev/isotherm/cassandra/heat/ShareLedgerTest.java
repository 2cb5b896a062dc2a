// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

class ShareLedgerTest {
    private final ShareLedger ledger = new ShareLedger();

    @Test
    void sharesAreOfAllContacts() {
        ledger.add(node(1), 30, 20);
        ledger.add(node(2), 10, 20);
        assertEquals(0.75, ledger.wantedShareOf(node(1)), 1e-12);
        assertEquals(0.25, ledger.wantedShareOf(node(2)), 1e-12);
        assertEquals(0.5, ledger.sentShareOf(node(1)), 1e-12);
        assertEquals(0, ledger.sentShareOf(node(3)), 1e-12);
    }

    @Test
    void theReplicaFarthestFromItsShareIsShown() {
        assertTrue(Double.isNaN(ledger.mostDifference()));
        ledger.add(node(1), 30, 20);
        ledger.add(node(2), 10, 18);
        ledger.add(node(3), 0, 2);
        assertEquals(0.25, ledger.mostDifference(), 1e-12);
    }

    @Test
    void beforeAnyReadThereIsNoShare() {
        assertTrue(Double.isNaN(ledger.sentShareOf(node(1))));
    }

    @Test
    void aReplicaThatIsGoneIsForgotten() {
        ledger.add(node(1), 1e6, 1e6);
        ledger.add(node(2), 1e6, 1e6);
        for (int second = 0; second < 300; second++) {
            ledger.add(node(2), 1, 1);
            ledger.fade();
        }
        assertEquals(1, ledger.replicas());
        assertEquals(1, ledger.sentShareOf(node(2)), 1e-12);
    }

    /** While reads follow the operator's order, shares of minutes ago would be taken for those of now. */
    @Test
    void sharesAreShownForSomeSecondsAfterTheLastDraw() {
        Map<InetAddressAndPort, ShareLedger.Contacts> contacts = new HashMap<>();
        ledger.add(node(1), 1e6, 1e6);
        ledger.add(node(2), 1e6, 1e6);
        for (int second = 0; second < ShareLedger.SHOWN_SECONDS; second++) {
            ledger.fade();
            ledger.add(node(1), 0, 0);
            assertEquals(0.5, ledger.wantedShareOf(node(1)), 1e-12);
        }
        ledger.fade();
        assertTrue(Double.isNaN(ledger.wantedShareOf(node(1))));
        assertTrue(Double.isNaN(ledger.sentShareOf(node(1))));
        assertTrue(Double.isNaN(ledger.mostDifference()));
        ledger.addTo(contacts);
        assertTrue(contacts.isEmpty());
        ledger.add(node(1), 1e6, 1e6);
        assertTrue(ledger.wantedShareOf(node(1)) > 0.5);
    }

    @Test
    void oldContactsFade() {
        ledger.add(node(1), 1000, 1000);
        for (int second = 0; second < 60; second++) {
            ledger.fade();
        }
        ledger.add(node(2), 1000, 1000);
        assertTrue(ledger.sentShareOf(node(2)) > 0.99);
    }
}
