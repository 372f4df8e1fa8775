package io.probelet.cli;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TreeSet;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the arrows between the rooms, and the rule that time is injected, as the plan has them. */
@AnalyzeClasses(
    packages = "io.probelet",
    importOptions = {DoNotIncludeTests.class, ModuleRulesTest.NoJarsOfTests.class})
class ModuleRulesTest {

  /** Maven puts other modules' tests on the class path as jars, which look like any other. */
  static final class NoJarsOfTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final String SYSTEM_CLOCK = "io.probelet.health.SystemClock";
  private static final String PROBE_SERVICE = "io.probelet.probe.service.ProbeService$Builder";
  private static final String LIBRARY_OF_CHECKS = "io.probelet.checks.HealthChecks";

  private static final String[] LIBRARIES = {
    "java..",
    "javax..",
    "org..",
    "com..",
    "dev.cel..",
    "io.fabric8..",
    "io.micrometer..",
    "io.netty..",
    "io.prometheus..",
    "ch.qos.."
  };

  /** The arrows of docs/development/architecture.md: each room and the rooms that it may know. */
  private static final Map<String, List<String>> ROOMS =
      Map.ofEntries(
          Map.entry("health", List.of()),
          Map.entry("document", List.of("health")),
          Map.entry("process", List.of("health")),
          Map.entry("probe", List.of("health")),
          Map.entry("runtime", List.of("health", "process", "probe")),
          Map.entry("kube", List.of("health")),
          Map.entry("monitor", List.of("health", "document", "process", "kube")),
          Map.entry("nodehealth", List.of("health", "document", "kube")),
          Map.entry("remediator", List.of("health", "document", "kube", "nodehealth")),
          Map.entry("checks", List.of("health")),
          Map.entry("cluster", List.of("health", "document", "kube", "checks")),
          Map.entry(
              "manifest",
              List.of(
                  "health",
                  "document",
                  "probe",
                  "runtime",
                  "monitor",
                  "nodehealth",
                  "remediator",
                  "cluster")),
          Map.entry("rehearsal", List.of("health", "document", "nodehealth", "manifest", "web")),
          Map.entry(
              "agent",
              List.of(
                  "health",
                  "document",
                  "kube",
                  "probe",
                  "runtime",
                  "monitor",
                  "remediator",
                  "manifest",
                  "web")),
          Map.entry(
              "controller",
              List.of(
                  "health",
                  "kube",
                  "probe",
                  "monitor",
                  "cluster",
                  "nodehealth",
                  "remediator",
                  "manifest",
                  "web")),
          Map.entry(
              "fleet",
              List.of(
                  "health",
                  "document",
                  "process",
                  "kube",
                  "probe",
                  "monitor",
                  "cluster",
                  "nodehealth",
                  "remediator",
                  "rehearsal",
                  "web")),
          Map.entry(
              "web",
              List.of(
                  "health", "kube", "probe", "runtime", "monitor", "nodehealth", "remediator")));

  @ArchTest
  static void roomsKnowOnlyTheRoomsBelowThem(JavaClasses classes) {
    ROOMS.forEach((room, known) ->
        classes()
            .that()
            .resideInAPackage(in(room))
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                Stream.of(
                        Stream.of(LIBRARIES),
                        Stream.of(in(room)),
                        known.stream().map(ModuleRulesTest::in))
                    .flatMap(packages -> packages)
                    .toArray(String[]::new))
            .check(classes));
  }

  private static final Set<String> SEARCHES =
      Set.of("startsWith", "endsWith", "contains", "matches", "split", "indexOf", "matcher");

  /** They group or show messages, or judge those of the kernel. */
  private static final Set<String> MAY_SEARCH =
      Set.of("EventSeries", "KernelRecords", "TopCommand");

  // ACT-45: messages are for people and may be reworded
  @ArchTest
  static void nothingIsDecidedByAMessage(JavaClasses classes) {
    Set<String> deciding =
        classes.stream()
            .filter(each -> !MAY_SEARCH.contains(each.getSimpleName()))
            .flatMap(each -> each.getCodeUnits().stream())
            .filter(unit -> calls(unit, target -> target.getName().equals("message")))
            .filter(unit -> calls(unit, ModuleRulesTest::isSearch))
            .map(JavaCodeUnit::getFullName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(deciding).as("messages are for people and may be reworded").isEmpty();
  }

  private static boolean isSearch(CodeUnitCallTarget target) {
    return SEARCHES.contains(target.getName())
        && (target.getOwner().isEquivalentTo(String.class)
            || target.getOwner().getSimpleName().equals("Pattern"));
  }

  private static boolean calls(JavaCodeUnit unit, Predicate<CodeUnitCallTarget> wanted) {
    return unit.getCallsFromSelf().stream().map(JavaCall::getTarget).anyMatch(wanted);
  }

  @ArchTest
  static void everyRoomHasItsRule(JavaClasses classes) {
    Set<String> rooms = new TreeSet<>();
    for (JavaClass each : classes) {
      rooms.add(each.getPackageName().substring("io.probelet.".length()).replaceAll("\\..*", ""));
    }
    rooms.removeAll(Set.of("cli", "benchmarks"));
    assertThat(rooms).isEqualTo(new TreeSet<>(ROOMS.keySet()));
  }

  @ArchTest
  static final ArchRule noPackageStandsOnItself =
      slices().matching("io.probelet.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule healthModelDependsOnNothing =
      classes()
          .that()
          .resideInAPackage("io.probelet.health..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "javax.net.ssl..", "org.jspecify..", "io.probelet.health..");

  @ArchTest
  static final ArchRule oneClassVerifiesServers =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.probelet.health.tls.ServerTrust")
          .and()
          .doNotHaveFullyQualifiedName("io.probelet.health.tls.ServerVerifier")
          .and()
          .doNotHaveFullyQualifiedName("io.probelet.probe.net.AnyServer")
          .should()
          .beAssignableTo(X509TrustManager.class)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(TrustManagerFactory.class, HostnameVerifier.class)
          .because("the JDK verifies otherwise than Go");

  @ArchTest
  static final ArchRule onlyTheseRoomsKnowAKubernetesClient =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.probelet.document..",
              "io.probelet.probe..",
              "io.probelet.runtime..",
              "io.probelet.monitor..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..");

  /** ADR 51: so a program without expressions loads none of it. */
  @ArchTest
  static final ArchRule onlyExpressionsKnowCel =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.probelet.document.expression")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.cel..", "com.google.common..", "org.antlr..");

  @ArchTest
  static final ArchRule remediationIsDecidedWithoutKubernetesClientElectionAndWatch =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.probelet.nodehealth.resource..",
              "io.probelet.nodehealth.remediation..",
              "io.probelet.nodehealth.simulation..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8..", "io.probelet.kube..");

  /** What a condition, an annotation or a count means is for the planner to say. */
  @ArchTest
  static final ArchRule whoCarriesRemediationOutKnowsNoneOfItsRules =
      noClasses()
          .that()
          .resideInAPackage("io.probelet.nodehealth.controller..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.probelet.nodehealth.resource.WireNames")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.probelet.nodehealth.resource.UnhealthyCondition")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.probelet.nodehealth.resource.HealthyFloor")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.probelet.nodehealth.remediation.NodeFacts$NodeCondition");

  @ArchTest
  static final ArchRule timeIsInjected =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(SYSTEM_CLOCK)
          .and()
          .doNotHaveFullyQualifiedName("io.probelet.health.MachineThreads")
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

  @ArchTest
  static final ArchRule randomnessIsInjected =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.probelet.cli..",
              "io.probelet.agent..",
              "io.probelet.controller..",
              "io.probelet.benchmarks..")
          .and()
          .doNotHaveFullyQualifiedName(LIBRARY_OF_CHECKS)
          .and()
          .doNotHaveFullyQualifiedName(PROBE_SERVICE)
          .should()
          .callConstructor(Random.class)
          .orShould()
          .callConstructor(Random.class, long.class)
          .orShould()
          .callConstructor(SplittableRandom.class)
          .orShould()
          .callConstructor(SplittableRandom.class, long.class)
          .orShould()
          .callMethod(RandomGenerator.class, "getDefault")
          .orShould()
          .callMethod(RandomGenerator.class, "of", String.class)
          .orShould()
          .callMethod(ThreadLocalRandom.class, "current")
          .orShould()
          .callMethod(Math.class, "random")
          .because(
              "the program makes one for each part and hands it in; the entries of the published"
                  + " libraries have one for their users, as they have a clock");

  @ArchTest
  static final ArchRule whatHasAThreadAndAnAlarmIsASerialLoop =
      noClasses()
          .should()
          .callMethodWhere(target(nameMatching("new\\w*Scheduled\\w*"))) // of Executors
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ScheduledThreadPoolExecutor.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Timer.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(DelayQueue.class)
          .because("SerialLoop reports what its tasks throw, and has a twin in virtual time");

  @ArchTest
  static final ArchRule programsAreStartedInOneWay =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.probelet.process..", "io.probelet.benchmarks..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.commons.exec..")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ProcessBuilder.class)
          .orShould()
          .callMethod(Runtime.class, "exec", String[].class)
          .because("processes kills all that a program leaves behind and bounds what it says");

  @Test
  @DisplayName("Two classes of one name are two words for a reader who sees no imports")
  void noSimpleNameIsGivenTwice() {
    Map<String, List<Path>> files =
        RuleBook.files(Path.of("..").toAbsolutePath().normalize(), ".java")
            .filter(file -> !file.endsWith("package-info.java"))
            // A stand-in of the simulation has the name of what it stands for.
            .filter(file -> !file.toString().contains("testing/simulation/"))
            .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    files.values().removeIf(places -> places.size() == 1);
    assertThat(files).isEmpty();
  }

  private static String in(String room) {
    return "io.probelet." + room + "..";
  }
}
