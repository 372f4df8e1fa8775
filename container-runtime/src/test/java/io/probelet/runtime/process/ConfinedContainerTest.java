package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static io.probelet.runtime.process.LocalPodBuilders.sh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.probelet.probe.PodRef;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.Termination;
import io.probelet.process.Processes;
import io.probelet.runtime.confine.Capability;
import io.probelet.runtime.confine.CapabilityChange;
import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.confine.ControlGroups;
import io.probelet.runtime.confine.Limits;
import io.probelet.runtime.confine.OwnPrivileges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, and what the kernel says of them. */
@Timeout(120)
class ConfinedContainerTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int STRANGER = 4711;
  private static final String STATUS =
      "grep -E '^(Uid|Gid|Groups|Cap...|NoNewPrivs):' /proc/self/status";
  private static final CapabilityChange DROP_ALL =
      new CapabilityChange(false, Set.of(), true, Set.of());

  @TempDir private Path dir;
  private RuntimeFixture run;

  @BeforeEach
  void open() throws Exception {
    run = new RuntimeFixture(dir);
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  @DisplayName("a container runs as the user and groups of its manifest and can get no more rights")
  void identity() throws Exception {
    assumeRoot();
    Confinement asked =
        new Confinement(STRANGER, 4712, true, List.of(4713), true, DROP_ALL, Limits.NONE);
    PodRef pod = run.run(pod().with(sh("web", STATUS + "; exec sleep 600").heldTo(asked)));
    String web = run.seen.running("web").id();
    Map<String, String> status = status(pod);
    assertThat(status)
        .containsEntry("Uid", "4711\t4711\t4711\t4711")
        .containsEntry("Gid", "4712\t4712\t4712\t4712")
        .containsEntry("Groups", "4713")
        .containsEntry("NoNewPrivs", "1");
    for (String set : List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")) {
      assertThat(status).containsEntry(set, "0000000000000000");
    }

    ExecResult probe = run.runtime.exec(pod, web, List.of("sh", "-c", STATUS), LONG, 10_000);
    assertThat(probe)
        .isInstanceOfSatisfying(
            ExecResult.Exited.class, it -> assertThat(parse(it.output())).isEqualTo(status));

    String held = "test $(id -u) = 4711 && grep -q 'NoNewPrivs:.*1' /proc/self/status";
    assertThat(run.runtime.hook(web, List.of("sh", "-c", held), LONG))
        .as("D-7 a hook, too")
        .isEqualTo(new ExecResult.Exited(0, ""));

    run.runtime.stop(web, LONG);
    await().until(() -> Processes.group(Processes.pid(web)).isEmpty());
  }

  @Test
  @DisplayName("nothing of a manifest runs before its rights are given up")
  void preload() throws Exception {
    assumeRoot();
    Path evil = Files.createDirectory(dir.resolve("evil"));
    Path loot = dir.resolve("loot");
    for (String name : List.of("setpriv", "sh", "env", "setsid")) {
      Path script = Files.writeString(evil.resolve(name), "#!/bin/sh\nid -u >> " + loot + "\n");
      assertThat(script.toFile().setExecutable(true)).isTrue();
    }
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(
                    container("web", "/usr/bin/env")
                        .env("PATH", evil + ":/usr/bin:/bin")
                        .env("LD_PRELOAD", "/no/such/library.so")
                        .env("IFS", "_")
                        .env("odd-name", "it's")
                        .env("HOME", "")
                        .heldTo(user(STRANGER))));
    assertThat(run.seen.container("web", it -> it.state() == State.TERMINATED)).isNotNull();
    String log = run.log(pod, "web");
    assertThat(loot).doesNotExist();
    assertThat(log).contains("odd-name=it's\n", "IFS=_\n").doesNotContain("PROBELET_ENV");
  }

  @Test
  @DisplayName("a dropped capability is gone, for root as well")
  void capabilities() throws Exception {
    assumeRoot();
    Capability chown = Capability.of("CHOWN").orElseThrow();
    CapabilityChange one = new CapabilityChange(false, Set.of(), false, Set.of(chown));
    Path file = Files.createFile(dir.resolve("file"));
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(sh("web", "chown 1 " + file + " 2>&1; " + STATUS).heldTo(capabilities(one))));
    assertThat(run.seen.ended("web").exitCode()).isZero();
    assertThat(run.log(pod, "web")).contains("Operation not permitted");
    long had = mask("CapBnd");
    assertThat(Long.parseUnsignedLong(status(pod).get("CapEff"), 16)).isEqualTo(had & ~1L);
    assertThat(Long.parseUnsignedLong(status(pod).get("CapBnd"), 16)).isEqualTo(had & ~1L);
  }

  @Test
  @DisplayName("what cannot be honoured does not start, waits like the kubelet's, and says why")
  void refused() throws Exception {
    assumeRoot();
    Confinement nonRoot =
        new Confinement(null, null, true, List.of(), false, CapabilityChange.NONE, Limits.NONE);
    Path touched = dir.resolve("touched");
    PodRef pod = run.run(pod().with(container("web", "touch", touched.toString()).heldTo(nonRoot)));
    ContainerObservation web =
        run.seen.container("web", it -> !it.reason().equals("ContainerCreating"));
    assertThat(web.reason()).isEqualTo("CreateContainerConfigError");
    assertThat(web.state()).isEqualTo(State.WAITING);
    run.seen.container("web", it -> it.restartCount() > 0);
    assertThat(run.seen.last().containers().get("web").reason())
        .isEqualTo("CreateContainerConfigError");
    assertThat(run.log(pod, "web"))
        .startsWith("probelet: cannot start: securityContext.runAsNonRoot");
    assertThat(touched).doesNotExist();
  }

  @Test
  @DisplayName("memory beyond its limit ends the container, not its neighbour")
  void memory() throws Exception {
    Limits limits = new Limits(16L << 20, null);
    assumeThat(new ControlGroups().shortfall(limits)).isEmpty();
    Confinement asked =
        new Confinement(null, null, false, List.of(), false, CapabilityChange.NONE, limits);
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(
                    sh("hungry", "head -c 200000000 /dev/zero | tail -c 200000000 | wc -c; exit 1")
                        .heldTo(asked),
                    container("web", "sleep", "600")));
    assertThat(run.seen.ended("hungry").details().lastTermination())
        .extracting(Termination::reason)
        .isEqualTo("OOMKilled");
    assertThat(run.log(pod, "hungry")).doesNotContain("200000000");
    assertThat(run.seen.last().containers().get("web").running()).isTrue();
  }

  @Test
  @DisplayName("D-13 the kernel counts how a CPU limit throttles a container")
  void throttled() throws Exception {
    Limits limits = new Limits(null, 20L);
    assumeThat(new ControlGroups().shortfall(limits)).isEmpty();
    Confinement asked =
        new Confinement(null, null, false, List.of(), false, CapabilityChange.NONE, limits);
    run.run(
        pod()
            .policy(RestartPolicy.NEVER)
            .with(
                sh("slow", "while :; do :; done").heldTo(asked), container("web", "sleep", "600")));
    String slow = run.seen.running("slow").id();
    await()
        .untilAsserted(() ->
            assertThat(run.runtime.evidence(slow).quota())
                .isNotNull()
                .satisfies(quota -> {
                  assertThat(quota.limitMillis()).isEqualTo(20);
                  assertThat(quota.throttledPeriods()).isGreaterThan(5);
                }));
    assertThat(run.runtime.evidence(run.seen.running("web").id()).quota()).isNull();
  }

  @Test
  @DisplayName("a container's own and its probes' processes are in one group, which goes with it")
  void controlGroup() throws Exception {
    Limits limits = new Limits(64L << 20, 500L);
    assumeThat(new ControlGroups().shortfall(limits)).isEmpty();
    Confinement asked =
        new Confinement(null, null, false, List.of(), false, CapabilityChange.NONE, limits);
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(
                    sh("web", "cat /proc/self/cgroup; setsid sleep 601 & exec sleep 600")
                        .heldTo(asked)));
    String web = run.seen.running("web").id();
    await().until(() -> run.log(pod, "web").contains("probelet-"));
    String groups = run.log(pod, "web");
    assertThat(run.runtime.exec(pod, web, List.of("cat", "/proc/self/cgroup"), LONG, 10_000))
        .isInstanceOfSatisfying(
            ExecResult.Exited.class, it -> assertThat(it.output()).isEqualTo(groups));
    await().until(() -> daemons().count() == 1);
    long daemon = daemons().findFirst().orElseThrow();
    run.runtime.stop(web, LONG);
    await().until(() -> !Processes.runs(daemon));
    String name = groups.substring(groups.indexOf("probelet-")).lines().findFirst().orElseThrow();
    try (var folders = Files.walk(Path.of("/sys/fs/cgroup"), 6)) {
      assertThat(folders.filter(each -> each.endsWith(name))).isEmpty();
    }
  }

  @Test
  @DisplayName("logs are 0640 in folders of 0750, and a folder that was there stays as it was")
  void logModes() throws Exception {
    run.close();
    Path logs = dir.resolve("a/logs");
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    run = new RuntimeFixture(logs);
    PodRef pod = run.run(pod().policy(RestartPolicy.NEVER).with(sh("web", "echo hello")));
    run.seen.ended("web");
    assertThat(mode(run.logFile(pod, "web"))).isEqualTo("rw-r-----");
    assertThat(mode(run.logFile(pod, "web").getParent())).isEqualTo("rwxr-x---");
    assertThat(mode(dir.resolve("a"))).isEqualTo("rwxr-x---");
    assertThat(mode(dir)).isEqualTo("rwxr-xr-x");
  }

  @Test
  @DisplayName("another user's container can open /dev/stdout, but not the folder of its log")
  void ownLog() throws Exception {
    assumeRoot();
    run.close();
    Path logs = dir.resolve("logs");
    run = new RuntimeFixture(logs);
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(
                    sh("web", "echo one >> /dev/stdout; ls " + logs + " 2>&1; echo two")
                        .in(Path.of("/"))
                        .heldTo(user(STRANGER))));
    run.seen.ended("web");
    assertThat(run.log(pod, "web"))
        .startsWith("one\n")
        .contains("ermission denied")
        .endsWith("two\n");
  }

  @Test
  @DisplayName("output never goes through a link that somebody put in the log's place")
  void linkedLog() throws Exception {
    Path victim = Files.writeString(dir.resolve("victim"), "untouched");
    LocalPod pod = pod().policy(RestartPolicy.NEVER).with(sh("web", "echo hello")).build();
    Path log = run.logFile(pod.ref(), "web");
    Files.createDirectories(log.getParent());
    Files.createSymbolicLink(log, victim);
    run.runtime.add(pod);
    assertThat(run.seen.ended("web").reason()).isEqualTo("ContainerCannotRun");
    assertThat(victim).hasContent("untouched");
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void assumeRoot() throws Exception {
    assumeThat(OwnPrivileges.read().user()).as("only root can start other users").isZero();
  }

  private static LongStream daemons() {
    return Processes.all().filter(pid -> commandLine(pid).equals("sleep\u0000" + "601\u0000"));
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }

  private static long mask(String name) throws Exception {
    return Long.parseUnsignedLong(
        parse(Files.readString(Path.of("/proc/self/status"))).get(name), 16);
  }

  /** What the container wrote of itself. */
  private Map<String, String> status(PodRef pod) {
    await().until(() -> run.log(pod, "web").contains("NoNewPrivs"));
    return parse(run.log(pod, "web"));
  }

  private static Map<String, String> parse(String status) {
    return status
        .lines()
        .filter(line -> line.contains(":\t"))
        .collect(
            Collectors.toMap(
                line -> line.split(":\t", 2)[0],
                line -> line.split(":\t", 2)[1].strip(),
                (a, _) -> a));
  }

  private static Confinement user(@Nullable Integer user) {
    return new Confinement(user, null, false, List.of(), false, CapabilityChange.NONE, Limits.NONE);
  }

  private static Confinement capabilities(CapabilityChange change) {
    return new Confinement(null, null, false, List.of(), false, change, Limits.NONE);
  }
}
