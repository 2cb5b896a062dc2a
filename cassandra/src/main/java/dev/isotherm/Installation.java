// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import dev.isotherm.cassandra.config.ConfigFile;
import dev.isotherm.cassandra.config.TopLevelKey;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.SimpleSnitch;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugin's parts in this process: the whole plugin in a node of a supported release. In any other process
 * the operator's own snitch: alone in Cassandra's offline tools, beneath a dynamic one and with the operator's query
 * handler in nodes of other releases.
 */
/*
 * Until the release is known, no code may be linked that another release lacks: neither a method or field of
 * Cassandra's that is not in all releases, nor a library that has another version there. The classes for a supported
 * release are therefore named only in methods that run in a node of that release.
 */
final class Installation {
    private static final Logger logger = LoggerFactory.getLogger("dev.isotherm");
    /** The package of Cassandra's tools for load. */
    private static final String STRESS = "org.apache.cassandra.stress.";

    private static final String DEFAULT_SNITCH = "GossipingPropertyFileSnitch";
    /** As a YAML parser has it, which another release may have in another version. */
    private static final Set<String> NO = Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF");

    /** Null until there is one. Guarded by this class. */
    private static Installation ofThisNode;

    private final IEndpointSnitch operatorSnitch;
    private final IEndpointSnitch stockSnitch;
    private final String queryHandler;
    private final Isotherm isotherm;

    private Installation(
            IEndpointSnitch operatorSnitch, IEndpointSnitch stockSnitch, String queryHandler, Isotherm isotherm) {
        this.operatorSnitch = operatorSnitch;
        this.stockSnitch = stockSnitch;
        this.queryHandler = queryHandler;
        this.isotherm = isotherm;
    }

    /** @throws ConfigurationException at a mistake in the installation of the plugin in a node */
    static Installation inThisProcess() {
        if (!DatabaseDescriptor.isDaemonInitialized() || isBegunByStress()) {
            return inTool();
        }
        String release = FBUtilities.getReleaseVersionString();
        if (!CassandraVersions.isKnown(release)) {
            return once(() -> inOtherRelease(release));
        }
        return once(Installation::inNode);
    }

    /** Whether the configuration is loaded by compaction-stress, a tool that initialises it as a node does. */
    private static boolean isBegunByStress() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(STRESS)));
    }

    /** A snitch made later, over JMX (StorageService.updateSnitch), has the parts of the first: they run once. */
    private static synchronized Installation once(Supplier<Installation> made) {
        if (ofThisNode == null) {
            ofThisNode = made.get();
        }
        return ofThisNode;
    }

    private static Installation inNode() {
        IsothermConfig config = IsothermConfig.read(ConfigFile.load());
        StartupChecks.check(config);
        IEndpointSnitch snitch = OperatorClass.snitch(config.snitch());
        StockSnitch stock = StockSnitch.above(snitch, config.dynamicSnitch());
        stock.whyNotDynamic()
                .ifPresent(cause -> logger.warn(
                        "Isotherm cannot make Cassandra's dynamic snitch; until this node restarts, range reads, and all"
                                + " others that heat does not order, go by the snitch {} alone",
                        config.snitch(),
                        cause));
        Isotherm isotherm = CassandraVersions.running()
                .map(version ->
                        new Isotherm(config, version, snitch, stock.snitch(), FBUtilities.getBroadcastAddressAndPort()))
                .orElse(null);
        return new Installation(snitch, stock.snitch(), config.queryHandler(), isotherm);
    }

    private static Installation inOtherRelease(String release) {
        // Datacenters and racks decide the placement of data: a node that does not know its own must not start.
        IEndpointSnitch snitch = OperatorClass.snitch(TopLevelKey.read("snitch").orElse(DEFAULT_SNITCH));
        boolean isDynamic = !NO.contains(TopLevelKey.read("dynamic_snitch").orElse("true"));
        StockSnitch stock = StockSnitch.above(snitch, isDynamic);
        logger.warn(
                "Isotherm does not know Cassandra {} and stays out of its way{}{}",
                release,
                stock.whyNotDynamic().isEmpty()
                        ? ""
                        : "; reads go on without a dynamic snitch, which it cannot make there",
                CassandraVersions.isLaterThanTested(release)
                        ? "; it was tested up to an earlier release of this line: with -D" + CassandraVersions.ALLOWED
                                + "=" + release + " it runs on this one too"
                        : "");
        return new Installation(snitch, stock.snitch(), null, null);
    }

    /** A tool skips the checks of a node, and does not even need the file. */
    private static Installation inTool() {
        IEndpointSnitch snitch;
        try {
            snitch = OperatorClass.snitch(TopLevelKey.read("snitch").orElse(DEFAULT_SNITCH));
        } catch (ConfigurationException e) {
            logger.warn("{}; this tool goes on with SimpleSnitch", e.getMessage());
            snitch = new SimpleSnitch();
        }
        return new Installation(snitch, snitch, null, null);
    }

    /** The one that {@code isotherm.yaml} names. */
    IEndpointSnitch operatorSnitch() {
        return operatorSnitch;
    }

    /** The one by which this process would order replicas without the plugin. */
    IEndpointSnitch stockSnitch() {
        return stockSnitch;
    }

    /** The class name of the operator's own query handler; empty for Cassandra's, and in what is no node. */
    Optional<String> queryHandler() {
        return Optional.ofNullable(queryHandler);
    }

    /** The plugin; empty if it is not active in this process. */
    Optional<Isotherm> isotherm() {
        return Optional.ofNullable(isotherm);
    }
}
