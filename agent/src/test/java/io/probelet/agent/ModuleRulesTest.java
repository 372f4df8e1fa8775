package io.probelet.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;

/** Holds the arrows between the rooms, and the rule that time is injected, as the plan has them. */
@AnalyzeClasses(packages = "io.probelet", importOptions = DoNotIncludeTests.class)
class ModuleRulesTest {

  private static final String SYSTEM_CLOCK = "io.probelet.health.SystemClock";

  @ArchTest
  static final ArchRule nobodyDependsOnTheAgent =
      noClasses()
          .that()
          .resideInAPackage("io.probelet..")
          .and()
          .resideOutsideOfPackages("io.probelet.agent..", "io.probelet.benchmarks..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.probelet.agent..");

  @ArchTest
  static final ArchRule healthModelDependsOnNothing =
      classes()
          .that()
          .resideInAPackage("io.probelet.health..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", "io.probelet.health..");

  @ArchTest
  static final ArchRule probeEngineKnowsNoKubernetesClientAndNoAdapter =
      noClasses()
          .that()
          .resideInAPackage("io.probelet.probe..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8..", "io.probelet.runtime..", "io.probelet.agent..");

  @ArchTest
  static final ArchRule nodeHealthKnowsTheModelAndKubernetesOnly =
      classes()
          .that()
          .resideInAPackage("io.probelet.nodehealth..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.security.auth.x500..",
              "org.jspecify..",
              "org.slf4j..",
              "com.fasterxml.jackson..",
              "com.google.re2j..",
              "org.apache.commons.exec..",
              "io.fabric8.kubernetes..",
              "io.probelet.health..",
              "io.probelet.nodehealth..");

  @ArchTest
  static final ArchRule clusterHealthKnowsTheModelAndKubernetesOnly =
      classes()
          .that()
          .resideInAPackage("io.probelet.cluster..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "org.slf4j..",
              "com.fasterxml.jackson..",
              "com.google.re2j..",
              "io.fabric8.kubernetes..",
              "io.probelet.health..",
              "io.probelet.cluster..");

  @ArchTest
  static final ArchRule remediationIsDecidedWithoutAKubernetesClient =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.probelet.nodehealth.resource..",
              "io.probelet.nodehealth.remediation..",
              "io.probelet.nodehealth.simulation..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..");

  @ArchTest
  static final ArchRule timeIsInjected =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(SYSTEM_CLOCK)
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Instant.class, "now", Clock.class)
          .orShould()
          .callMethod(Clock.class, "systemUTC")
          .orShould()
          .callMethod(Clock.class, "systemDefaultZone")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", long.class, int.class)
          .orShould()
          .callMethod(Thread.class, "sleep", java.time.Duration.class)
          .because("a clock is injected; only " + SYSTEM_CLOCK + " reads the machine's");
}
