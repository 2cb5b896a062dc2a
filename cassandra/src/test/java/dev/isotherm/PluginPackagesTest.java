// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.junit.jupiter.api.Test;

/** The allowed dependencies between the plugin's packages: the arrows of docs/architecture.md. */
class PluginPackagesTest {
    private static final String ROOT = "dev.isotherm.cassandra.";
    private static final String[] FEATURES = {
        ROOT + "guard", ROOT + "heat", ROOT + "limit", ROOT + "queue", ROOT + "warming"
    };
    private static final String[] MECHANISMS = {
        ROOT + "feature",
        ROOT + "wire",
        ROOT + "config",
        ROOT + "runtime",
        ROOT + "views",
        ROOT + "version",
        ROOT + "schema"
    };
    /** Classes in Cassandra's packages: the members they use are visible only there. */
    private static final String[] GUESTS = {
        "org.apache.cassandra.cql3.statements.PropertyValues",
        "org.apache.cassandra.cql3.statements.schema.LimitingTableStatement"
    };
    /** Classes that Cassandra instantiates by name. */
    private static final Set<String> NAMED_IN_CONFIGURATION =
            Set.of("dev.isotherm.IsothermSnitch", "dev.isotherm.IsothermQueryHandler");

    /** What they log is rationed, or happens once in a process, as it starts. */
    private static final Set<String> LOGGING = Set.of(
            ROOT + "runtime.Failures",
            ROOT + "runtime.RationedLog",
            ROOT + "runtime.UnreadableValues",
            ROOT + "heat.ThreadDiskReads",
            "dev.isotherm.FeatureStart",
            "dev.isotherm.Installation");

    private static final JavaClasses PLUGIN = new ClassFileImporter().importPath(Paths.get("target", "classes"));

    @Test
    void noPackagesFormACycle() {
        slices().matching("dev.isotherm.cassandra.(**)")
                .should()
                .beFreeOfCycles()
                .check(PLUGIN);
    }

    @Test
    void featuresDoNotKnowEachOther() {
        slices().matching("dev.isotherm.cassandra.(*)..")
                .that(DescribedPredicate.describe(
                        "are features", slice -> List.of("guard", "heat", "limit", "queue", "warming")
                                .contains(slice.getNamePart(1))))
                .should()
                .notDependOnEachOther()
                .check(PLUGIN);
    }

    @Test
    void mechanismsDoNotKnowFeatures() {
        noClasses()
                .that()
                .resideInAnyPackage(MECHANISMS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(FEATURES)
                .check(PLUGIN);
    }

    @Test
    void nobodyBelowKnowsTheEntry() {
        noClasses()
                .that()
                .resideInAPackage("dev.isotherm.cassandra..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.isotherm")
                .check(PLUGIN);
    }

    /**
     * A release line is a separate module: only the entry, which chooses the line, the classes in Cassandra's packages,
     * and the line that inherits from it depend on it.
     */
    @Test
    void aReleaseLineIsKnownToTheEntryAlone() {
        classes()
                .that(resideInAnyPackage(ROOT + "version50").or(areGuests()))
                .should()
                .onlyHaveDependentClassesThat(resideInAnyPackage(ROOT + "version50", ROOT + "version41", "dev.isotherm")
                        .or(areGuests()))
                .check(PLUGIN);
        classes()
                .that()
                .resideInAPackage(ROOT + "version41")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage(ROOT + "version41", "dev.isotherm")
                .check(PLUGIN);
    }

    /** Nobody else writes to the log: so neither clients nor other nodes can fill it. */
    @Test
    void whatCanHappenOftenIsLoggedByARation() {
        Set<String> logging = PLUGIN.stream()
                .filter(each -> each.getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getName())
                        .anyMatch(target -> target.startsWith("org.slf4j.")
                                || target.startsWith("ch.qos.logback.")
                                || target.startsWith("java.util.logging.")
                                || target.equals("org.apache.cassandra.utils.NoSpamLogger")
                                || target.equals("java.io.PrintStream")))
                .map(JavaClass::getName)
                .collect(toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(LOGGING), logging);
    }

    /** Which asks for the permission: another table that took writes by itself would not. */
    @Test
    void viewsAreWrittenByWayOfOneClass() {
        List<String> written = PLUGIN.stream()
                .filter(each -> each.isAssignableTo(VirtualTable.class))
                .filter(each ->
                        each.tryGetMethod("apply", PartitionUpdate.class).isPresent())
                .map(JavaClass::getName)
                .collect(toList());
        assertEquals(List.of(ROOT + "views.WritableView"), written);
    }

    @Test
    void whatNeedNotBePublicIsNot() {
        List<String> needless = PLUGIN.stream()
                .filter(each -> each.getPackageName().startsWith("dev.isotherm"))
                .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC) && each.isTopLevelClass())
                .filter(each -> !NAMED_IN_CONFIGURATION.contains(each.getName()))
                .filter(each -> each.getDirectDependenciesToSelf().stream()
                        .allMatch(user -> user.getOriginClass().getPackageName().equals(each.getPackageName())))
                .filter(each -> !isHandedInByOthers(each))
                .map(JavaClass::getName)
                .sorted()
                .collect(toList());
        assertEquals(List.of(), needless, "public, but used in their own package alone");
    }

    /**
     * The arrows between mechanisms and release lines: every arrow in the code is in the picture, and every arrow in
     * the picture is in the code.
     */
    @Test
    void thePictureInTheDocumentsShowsTheArrowsThereAre() throws IOException {
        Set<String> below =
                Set.of("feature", "wire", "config", "runtime", "views", "version", "schema", "version50", "version41");
        Set<String> real = new TreeSet<>();
        for (JavaClass each : PLUGIN) {
            each.getDirectDependenciesFromSelf().forEach(dependency -> {
                String from = packageOf(each);
                String to = packageOf(dependency.getTargetClass());
                if (below.contains(from) && below.contains(to) && !from.equals(to)) {
                    real.add(from + " -> " + to);
                }
            });
        }
        Set<String> drawn = new TreeSet<>();
        for (String line : Files.readAllLines(Paths.get("..", "docs", "house.dot"))) {
            Matcher arrow = Pattern.compile("\\s*(\\w+) -> (\\w+)").matcher(line);
            if (arrow.lookingAt() && below.contains(arrow.group(1)) && below.contains(arrow.group(2))) {
                drawn.add(arrow.group(1) + " -> " + arrow.group(2));
            }
        }
        assertEquals(real, drawn);
    }

    /** The package's name below the plugin's; a class in Cassandra's packages belongs to the release line. */
    private static String packageOf(JavaClass each) {
        if (List.of(GUESTS).contains(each.getName())) {
            return "version50";
        }
        return each.getPackageName().startsWith(ROOT) ? each.getPackageName().substring(ROOT.length()) : "";
    }

    /**
     * A lambda in another package implements the interface, but the byte code names only the method that takes the
     * lambda.
     */
    private static boolean isHandedInByOthers(JavaClass each) {
        return each.isInterface()
                && each.getMethodsWithParameterTypeOfSelf().stream()
                        .anyMatch(method -> method.getModifiers().contains(JavaModifier.PUBLIC));
    }

    private static DescribedPredicate<JavaClass> areGuests() {
        return DescribedPredicate.describe(
                "are in Cassandra's packages", each -> List.of(GUESTS).contains(each.getName()));
    }
}
