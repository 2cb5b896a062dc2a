// SPDX-License-Identifier: Apache-2.0
package dev.isotherm;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

/** The allowed dependencies of core: the JDK, and for each package only itself and common. */
class CorePackagesTest {
    private static final JavaClasses CORE = new ClassFileImporter().importPath(Paths.get("target", "classes"));

    @Test
    void coreKnowsNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage("dev.isotherm..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.isotherm..", "java..")
                .check(CORE);
    }

    @Test
    void clocksThreadsAndRandomNumbersAreHandedIn() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(CORE);
    }

    @Test
    void ideasDoNotKnowEachOther() {
        slices().matching("dev.isotherm.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(DescribedPredicate.alwaysTrue(), resideInAPackage("dev.isotherm.common"))
                .check(CORE);
    }

    @Test
    void whatSeveralRestOnKnowsNoneOfThem() {
        classes()
                .that()
                .resideInAPackage("dev.isotherm.common")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.isotherm.common", "java..")
                .check(CORE);
    }
}
