package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.FakeCheckout.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./probelet} and {@code ./verify} do before Java runs. */
class ScriptsTest {
  @TempDir Path directory;
  private FakeCheckout checkout;

  @BeforeEach
  void setUp() throws IOException {
    checkout = new FakeCheckout(directory);
  }

  @Test
  void firstUseBuildsAndRunsJavaWithOptions() throws Exception {
    Ended ended = checkout.run("probelet", "run", "a folder");

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.err().lines())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("building Probelet: first launch, or sources"),
            last -> assertThat(last).isEqualTo("building Probelet: class cache"));
    Path build = builds().getFirst();
    assertThat(ended.out().lines())
        .contains(
            "arg=@" + build + "/jvm.options",
            "arg=-XX:AOTCache=" + build + "/probelet.aot",
            "arg=-Dmine=1",
            "arg=-Dalso=2",
            "arg=" + build + "/lib/a.jar:" + build + "/lib/b.jar:" + build + "/lib/cli-1.jar",
            "arenas=2")
        .containsSubsequence("arg=io.probelet.cli.Probelet", "arg=run", "arg=a folder");
    assertThat(checkout.mavenRuns())
        .containsExactly("-B -Dstyle.color=never package -pl cli -am -Dmaven.test.skip=true");
  }

  private static final String TWO_MODULES =
      """
      echo '[INFO] Building Probelet: web 0.1.0-SNAPSHOT                    [1/2]'
      echo '[INFO] Building jar: /x/web.jar'
      echo '[INFO] Building Probelet: cli 0.1.0-SNAPSHOT                    [2/2]'
      mkdir -p cli/target/lib; : >cli/target/lib/a.jar; : >cli/target/cli-1.jar
      """;

  @Test
  void buildPrintsLinePerModule() throws Exception {
    checkout.maven(TWO_MODULES);
    assertThat(checkout.run("probelet").err().lines())
        .containsSubsequence(
            "building Probelet: module 1 of 2, web",
            "building Probelet: module 2 of 2, cli",
            "building Probelet: class cache")
        .hasSize(4);
  }

  @Test
  void buildUpdatesOneLineOnTerminalAndErasesIt() throws Exception {
    checkout.maven(TWO_MODULES);
    Ended ended = checkout.atTerminal("", "probelet");
    assertThat(ended.exitCode()).as(ended.out()).isZero();
    assertThat(ended.out())
        .contains("\r\u001b[Kbuilding Probelet: module 2 of 2, cli\r\u001b[K")
        .contains("building Probelet: class cache\r\u001b[K");
    assertThat(ended.out().substring(0, ended.out().indexOf("class cache")))
        .doesNotContain("cli\r\n");
  }

  @Test
  void signalsReachJavaBecauseItReplacesTheShell() throws Exception {
    Ended ended = checkout.run("probelet");
    assertThat(ended.out()).contains("java-pid=" + ended.pid() + "\n");
  }

  @Test
  void unchangedSourcesAreNotBuiltAgain() throws Exception {
    checkout.run("probelet");
    Ended second = checkout.run("probelet");
    assertThat(second.err()).isEmpty();
    assertThat(checkout.mavenRuns()).hasSize(1);
  }

  @Test
  void aChangedAddedOrRemovedSourceIsBuiltAgain() throws Exception {
    checkout.source("probe-engine/src/main/java/Old.java");
    checkout.run("probelet");
    checkout.source("common/documents/src/main/java/Text.java");
    later("common/documents/src/main/java/Text.java");
    checkout.run("probelet");
    assertThat(checkout.mavenRuns()).as("changed").hasSize(2);

    forgetFuture("common/documents/src/main/java/Text.java");
    checkout.source("probe-engine/src/main/java/New.java");
    later("probe-engine/src/main/java/New.java");
    checkout.run("probelet");
    assertThat(checkout.mavenRuns()).as("added").hasSize(3);

    forgetFuture("probe-engine/src/main/java/New.java");
    Files.delete(checkout.home().resolve("probe-engine/src/main/java/Old.java"));
    later("probe-engine/src/main/java");
    checkout.run("probelet");
    assertThat(checkout.mavenRuns()).as("removed").hasSize(4);
  }

  @Test
  void changedBenchmarksDoNotCauseBuild() throws Exception {
    checkout.run("probelet");
    checkout.source("benchmarks/src/main/java/Bench.java");
    later("benchmarks/src/main/java/Bench.java");
    checkout.run("probelet");
    assertThat(checkout.mavenRuns()).hasSize(1);
  }

  @Test
  void twoFirstLaunchesBuildOnce() throws Exception {
    Process one = checkout.start("probelet", "one");
    Process two = checkout.start("probelet", "two");
    assertThat(FakeCheckout.end(one).out()).contains("arg=one");
    assertThat(FakeCheckout.end(two).out()).contains("arg=two");
    assertThat(checkout.mavenRuns()).hasSize(1);
  }

  @Test
  void runningProbeletKeepsItsJarsDuringLaterBuilds() throws Exception {
    checkout.java("echo up; cat");
    Process running = checkout.start("probelet");
    assertThat(running.getInputStream().read()).isEqualTo('u');
    Path itsBuild = builds().getFirst();
    checkout.java("exit 0");

    for (int build = 0; build < 3; build++) {
      later("pom.xml");
      checkout.run("probelet");
      forgetFuture("pom.xml");
    }
    assertThat(itsBuild.resolve("lib/a.jar")).exists();

    FakeCheckout.end(running);
    later("pom.xml");
    checkout.run("probelet");
    assertThat(itsBuild).doesNotExist();
    assertThat(builds()).as("this one and the one before").hasSize(2);
  }

  @Test
  void failedBuildShowsErrorsAndIsRetried() throws Exception {
    checkout.maven("echo '[INFO] compiling'; echo '[ERROR] Main.java:1 broken'; exit 1");
    Ended ended = checkout.run("probelet");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("[ERROR] Main.java:1 broken").doesNotContain("compiling");
    checkout.run("probelet");
    assertThat(checkout.mavenRuns()).hasSize(2);
    assertThat(builds()).isEmpty();
  }

  @Test
  void namesJdkAndWhereToGetItIfMissing() throws Exception {
    checkout.demandFutureJdk();
    for (String script : List.of("probelet", "verify")) {
      Ended ended = checkout.run(script);
      assertThat(ended.exitCode()).isEqualTo(2);
      assertThat(ended.err()).contains("No JDK 999 or newer found", "https://", "JAVA_HOME");
    }
  }

  @Test
  void verifyMakesOneMavenCallWithItsArguments() throws Exception {
    Ended ended = checkout.run("verify", "-o", "-pl", "agent");
    assertThat(ended.exitCode()).isZero();
    assertThat(checkout.mavenRuns())
        .containsExactly("-B -Dstyle.color=never -T3 verify -o -pl agent");
  }

  @Test
  void verifyFailsWithMavenAndDoesNotTryAgain() throws Exception {
    checkout.maven("echo 'Main.java:1 broken'; exit 1");
    Ended ended = checkout.run("verify");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).contains("Main.java:1 broken");
    assertThat(checkout.mavenRuns()).hasSize(1);
  }

  @Test
  void verifyInstallsWhatIsMissingWhenItMay() throws Exception {
    checkout.command("id", "echo 0");
    checkout.command(
        "apt-get",
        """
        echo "$@" >>'%1$s/apt.runs'
        case $* in *openssl) printf '#!/bin/sh\\n' >'%2$s'; chmod 755 '%2$s';; esac
        """
            .formatted(directory, directory.resolve("bin/openssl")));
    Ended ended = checkout.run("verify");
    assertThat(ended.exitCode()).isZero();
    assertThat(Files.readAllLines(directory.resolve("apt.runs")))
        .startsWith("update -qq")
        .contains("install -qq -y --no-install-recommends openssl");
    assertThat(ended.err())
        .contains("missing: containerd; the tests that need it are skipped")
        .doesNotContain("missing: openssl");
  }

  @Test
  void verifyInstallsNothingForAnOrdinaryUser() throws Exception {
    checkout.command("apt-get", "echo called >'" + directory + "/apt.runs'");
    assertThat(checkout.run("verify").exitCode()).isZero();
    assertThat(directory.resolve("apt.runs")).doesNotExist();
  }

  private List<Path> builds() throws IOException {
    Path builds = checkout.home().resolve("cli/target/dist");
    try (Stream<Path> found = Files.list(builds)) {
      return found.filter(Files::isDirectory).toList();
    }
  }

  /** Dates a file after every build so far, whatever the file system's resolution. */
  private void later(String path) throws IOException {
    date(path, FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
  }

  private void forgetFuture(String path) throws IOException {
    date(path, FileTime.from(Instant.parse("2000-01-01T00:00:00Z")));
  }

  private void date(String path, FileTime time) throws IOException {
    Files.setLastModifiedTime(checkout.home().resolve(path), time);
  }
}
