// SPDX-License-Identifier: Apache-2.0
package dev.isotherm.cassandra.heat;

import static dev.isotherm.cassandra.Addresses.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isotherm.cassandra.innode.NodeInProcess;
import dev.isotherm.cassandra.runtime.Failures;
import dev.isotherm.heat.BalanceSettings;
import dev.isotherm.heat.Heat;
import dev.isotherm.heat.HeatBoard;
import dev.isotherm.heat.Placement;
import dev.isotherm.heat.RequestRate;
import dev.isotherm.heat.RoundTrips;
import dev.isotherm.heat.SeenMisses;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.Tables;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Node 1 chooses with the nodes 2 and 3, which vote as they are told. */
class PlacementChooserInNodeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final RequestRate RATE = RequestRate.perSecond(100);
    private static ColumnFamilyStore table;
    /** On three nodes here and on two elsewhere. */
    private static ColumnFamilyStore replicated;

    private final BalanceSettings settings = BalanceSettings.defaults();
    private final HeatSwitches switches = new HeatSwitches(true, settings, PlacementChoice.AUTO);
    private final HeatBoard<TableId, InetAddressAndPort> board = new HeatBoard<>(90 * SECOND, settings);
    private final SeenMisses seen = new SeenMisses(settings);
    private final Failures failures = new Failures();
    private final RoundTrips trips = new RoundTrips();
    private final Set<InetAddressAndPort> ring = new HashSet<>(Set.of(node(1), node(2), node(3), node(4), node(5)));
    private final Set<InetAddressAndPort> down = new HashSet<>();
    private final Set<InetAddressAndPort> avoided = new HashSet<>();
    private Throwable snitchFails;
    private int asked;
    private final IEndpointSnitch snitch = new SimpleSnitch() {
        @Override
        public String getDatacenter(InetAddressAndPort node) {
            asked++;
            if (snitchFails instanceof AssertionError) {
                throw (AssertionError) snitchFails;
            }
            if (snitchFails != null) {
                throw (IllegalStateException) snitchFails;
            }
            return node.equals(node(4)) || node.equals(node(5)) ? "elsewhere" : super.getDatacenter(node);
        }
    };
    private final PlacementChooser chooser = new PlacementChooser(
            switches, board, trips, snitch, () -> ring, down::contains, avoided::contains, node(1), failures);

    @BeforeAll
    static void begin() throws IOException {
        NodeInProcess.begin();
        table = NodeInProcess.table("chosen", "comment = ''");
        Schema.instance.transform(keyspaces -> keyspaces.withAddedOrUpdated(KeyspaceMetadata.create(
                "replicated",
                KeyspaceParams.nts("datacenter1", 3, "elsewhere", 2),
                Tables.of(CreateTableStatement.parse("CREATE TABLE t (k int PRIMARY KEY)", "replicated")
                        .build()))));
        replicated = Keyspace.open("replicated").getColumnFamilyStore("t");
    }

    /** Looks for so many seconds, of which the nodes 2 and 3 have no vote; the last vote of node 1. */
    private Placement measured(ColumnFamilyStore measured, int seconds, double served) {
        Placement vote = null;
        for (int second = 1; second <= seconds; second++) {
            for (int node = 2; node <= 3; node++) {
                board.report(measured.metadata.id, node(node), Heat.missRatio(0.3), RATE, null, second * SECOND);
            }
            seen.addLookUps(30, 100);
            vote = chooser.vote(measured, seen, RequestRate.perSecond(served), second * SECOND);
        }
        return vote;
    }

    /** Some of them are timed: each takes 0.4 ms, of which a third of the requests pays one. */
    private void timeReads() {
        for (long id = 1; id <= 1000; id++) {
            trips.sent(id, 0);
            trips.answered(id, 400_000);
        }
    }

    @Test
    void itVotesByItsMissesForAffinityThatCanSaveSome() {
        timeReads();
        assertNull(measured(replicated, 120, 200));
        assertSame(Placement.AFFINITY, measured(replicated, 130, 200));
        assertSame(
                Placement.LOCAL,
                switches.balanceOf(replicated.metadata.id).settings().placement(),
                "alone");
    }

    /** A node serves three reads for each request that it coordinates: all replicas. Rates are coarse. */
    @Test
    void whereAllReplicasHereAreContactedThereIsNothingToSave() {
        timeReads();
        board.report(replicated.metadata.id, node(4), Heat.missRatio(0.3), RequestRate.perSecond(1e5), null, SECOND);
        assertSame(Placement.LOCAL, measured(replicated, 130, 330));
    }

    @Test
    void withOneReplicaThereIsNothingToSave() {
        timeReads();
        assertSame(Placement.LOCAL, measured(table, 130, 100));
    }

    @Test
    void withoutAnAnswerOfAnotherNodeThereIsNoVote() {
        assertNull(measured(replicated, 600, 200));
    }

    @Test
    void withoutACoordinatedReadThereIsNoVote() {
        timeReads();
        for (int second = 1; second <= 600; second++) {
            seen.addLookUps(30, 100);
            assertNull(chooser.vote(replicated, seen, RequestRate.perSecond(200), second * SECOND));
        }
    }

    /** Of six nodes here only three are heard. */
    @Test
    void nodesOfWhichNothingIsHeardDoNotAgree() {
        ring.addAll(Set.of(node(6), node(7), node(8)));
        look(1, Placement.AFFINITY, Placement.AFFINITY);
        look(2, Placement.AFFINITY, Placement.AFFINITY);
        assertSame(Placement.LOCAL, inForce());
    }

    @Test
    void theSnitchIsAskedOnceARoundForEachNode() {
        for (ColumnFamilyStore each : List.of(table, replicated)) {
            chooser.vote(each, seen, RATE, SECOND);
        }
        asked = 0;
        for (ColumnFamilyStore each : List.of(table, replicated)) {
            chooser.vote(each, seen, RATE, 2 * SECOND);
        }
        assertEquals(1 + ring.size(), asked);
        chooser.vote(table, seen, RATE, 3 * SECOND);
        assertEquals(2 * (1 + ring.size()), asked, "nodes move and join");
    }

    private Placement look(int second, Placement ofNode2, Placement ofNode3) {
        board.report(table.metadata.id, node(2), Heat.missRatio(0.3), RATE, ofNode2, second * SECOND);
        board.report(table.metadata.id, node(3), Heat.missRatio(0.3), RATE, ofNode3, second * SECOND);
        seen.addLookUps(30, 100);
        return chooser.vote(table, seen, RATE, second * SECOND);
    }

    private Placement inForce() {
        return switches.balanceOf(table.metadata.id).settings().placement();
    }

    @Test
    void aNodeThatStartsTakesOverWhatTheOthersVoteForAndFollowsThem() {
        assertNull(look(1, Placement.AFFINITY, Placement.AFFINITY));
        assertSame(Placement.LOCAL, inForce());
        assertSame(Placement.AFFINITY, look(2, Placement.AFFINITY, Placement.AFFINITY));
        assertSame(Placement.AFFINITY, inForce());
        look(3, Placement.LOCAL, Placement.AFFINITY);
        assertSame(Placement.AFFINITY, inForce());
        look(4, Placement.LOCAL, Placement.LOCAL);
        assertSame(Placement.LOCAL, inForce());
    }

    private void takeOverAffinity() {
        look(1, Placement.AFFINITY, Placement.AFFINITY);
        look(2, Placement.AFFINITY, Placement.AFFINITY);
        assertSame(Placement.AFFINITY, inForce());
    }

    /** An operator's local counts even where the setting is auto again before the next look. */
    @Test
    void whatTheSettingWasMeanwhileIsInForce() {
        takeOverAffinity();
        switches.use(settings.withPlacement(Placement.LOCAL), PlacementChoice.LOCAL);
        switches.use(settings, PlacementChoice.AUTO);
        assertNull(look(3, null, null), "it begins anew");
        assertSame(Placement.LOCAL, inForce());
        look(4, Placement.AFFINITY, Placement.AFFINITY);
        assertSame(Placement.AFFINITY, inForce());
    }

    @Test
    void whereALookFailsThePlacementIsLocalAndTheHeatIsMeasuredAllTheSame() {
        takeOverAffinity();
        snitchFails = new IllegalStateException("no such node");
        assertNull(look(3, Placement.AFFINITY, Placement.AFFINITY));
        assertEquals(1, failures.count());
        assertSame(Placement.LOCAL, inForce());
    }

    /** Cassandra asserts, and each node runs with assertions. */
    @Test
    void anAssertionOfCassandraIsAFailureOfTheTableOnly() {
        takeOverAffinity();
        snitchFails = new AssertionError("no such node");
        assertNull(look(3, Placement.AFFINITY, Placement.AFFINITY));
        assertEquals(1, failures.count());
        assertSame(Placement.LOCAL, inForce());
    }

    /** A snitch that fails at one look in ten: the votes of the others do not change what is in force to and fro. */
    @Test
    void afterAFailureATableHasLocalForAQuarterOfAnHour() {
        takeOverAffinity();
        snitchFails = new IllegalStateException("no such node");
        look(3, Placement.AFFINITY, Placement.AFFINITY);
        snitchFails = null;
        for (int second = 4; second < 903; second++) {
            assertNull(look(second, Placement.AFFINITY, Placement.AFFINITY));
            assertSame(Placement.LOCAL, inForce(), "second " + second);
        }
        assertEquals(1, failures.count());
        assertNull(look(903, Placement.AFFINITY, Placement.AFFINITY), "it begins anew");
        assertEquals(0, seen.reads());
        assertSame(Placement.AFFINITY, look(904, Placement.AFFINITY, Placement.AFFINITY));
        assertSame(Placement.AFFINITY, inForce());
    }

    @Test
    void whatFailsNowAndThenChangesAPlacementAtMostEightTimesInAnHour() {
        int changes = 0;
        Placement before = inForce();
        for (int second = 1; second <= 4 * 3600; second++) {
            snitchFails = second % 10 == 0 ? new IllegalStateException("no such node") : null;
            look(second, Placement.AFFINITY, Placement.AFFINITY);
            changes += inForce() == before ? 0 : 1;
            before = inForce();
        }
        assertTrue(changes >= 2 && changes <= 4 * 8, "changes: " + changes);
    }

    /** Its reads follow the snitch, whatever is in force. */
    @Test
    void switchedOffItDoesNotVote() {
        takeOverAffinity();
        switches.enabled().set(false);
        assertNull(look(3, Placement.AFFINITY, Placement.AFFINITY));
        switches.enabled().set(true);
        assertSame(Placement.AFFINITY, look(4, Placement.AFFINITY, Placement.AFFINITY));
    }

    /** As in an outage of more than a third of the nodes, of which nothing is heard any more. */
    @Test
    void nodesThatAreDownDoNotEndAffinity() {
        takeOverAffinity();
        ring.addAll(Set.of(node(6), node(7), node(8)));
        down.addAll(Set.of(node(6), node(7), node(8)));
        for (int second = 3; second < 1000; second++) {
            look(second, Placement.AFFINITY, Placement.AFFINITY);
            assertSame(Placement.AFFINITY, inForce(), "second " + second);
        }
        down.clear();
        for (int second = 1000; second < 1300; second++) {
            look(second, Placement.AFFINITY, Placement.AFFINITY);
        }
        assertSame(Placement.LOCAL, inForce(), "they do not vote");
    }

    /** Reads miss as before while one of three is out of them, and less afterwards. */
    @Test
    void aTrialIsNotJudgedByWhatItSeesWhileAReplicaIsAvoidedOrDown() {
        timeReads();
        measured(replicated, 130, 200);
        int second = 130;
        for (Set<InetAddressAndPort> out : List.of(avoided, down)) {
            out.add(node(2));
            second = trial(second, 150, 30);
            out.clear();
        }
        second = trial(second, 300, 1);
        assertSame(
                Placement.AFFINITY,
                switches.balanceOf(replicated.metadata.id).settings().placement());
    }

    /** The second after so many in which all nodes vote for affinity, with so many misses of 100 reads each. */
    private int trial(int from, int seconds, int misses) {
        for (int second = from + 1; second <= from + seconds; second++) {
            for (int node = 2; node <= 3; node++) {
                board.report(
                        replicated.metadata.id,
                        node(node),
                        Heat.missRatio(0.3),
                        RATE,
                        Placement.AFFINITY,
                        second * SECOND);
            }
            seen.addLookUps(misses, 100);
            Placement vote = chooser.vote(replicated, seen, RequestRate.perSecond(200), second * SECOND);
            assertSame(Placement.AFFINITY, vote, "second " + second);
        }
        return from + seconds;
    }

    @Test
    void votesOfAnotherDatacenterDoNotCount() {
        look(1, null, null);
        for (int node = 4; node <= 5; node++) {
            board.report(table.metadata.id, node(node), Heat.missRatio(0.3), RATE, Placement.AFFINITY, 2 * SECOND);
        }
        look(2, null, null);
        assertSame(Placement.LOCAL, inForce());
    }

    @Test
    void withAnotherSettingThereIsNoVote() {
        takeOverAffinity();
        switches.use(settings.withPlacement(Placement.LOCAL), PlacementChoice.LOCAL);
        assertNull(look(3, Placement.AFFINITY, Placement.AFFINITY));
        assertSame(Placement.LOCAL, inForce());
    }
}
