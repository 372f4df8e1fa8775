package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.RuntimeQuery;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Monitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class CheckWatchTest {
  private static final String OFTEN = ",'interval':'100ms','debounce':'600ms','timeout':";

  /** A timeout that is never reached, even on a busy machine. */
  private static final String PATIENT = ",'timeout':'1m'";

  @TempDir Path dir;
  private final List<Condition> said = new CopyOnWriteArrayList<>();

  private NodeMonitor monitor(RuntimeQuery runtime, String rules) {
    Machine machine =
        Machine.of(
            Path.of("/"),
            dir.resolve("state"),
            Optional.of(runtime),
            SystemClock.INSTANCE,
            new Random(1));
    MonitorSettings settings =
        new MonitorSettings(
            dir.resolve("state/state.json"),
            dir.resolve("kmsg"),
            JournalAccess.USUAL,
            machine,
            ZoneOffset.UTC);
    NodeMonitor monitor = new NodeMonitor(settings, SystemClock.INSTANCE);
    monitor.addListener(
        new MonitorListener() {
          @Override
          public void conditionChanged(Condition condition) {
            said.add(condition);
          }
        });
    Monitor checks = read("{'plugin':'check','rules':[" + rules + "]}");
    monitor.watch(List.of(checks));
    return monitor;
  }

  private static RuntimeQuery.Status well() {
    return new RuntimeQuery.Status("", "", Duration.ZERO);
  }

  private List<ConditionStatus> statuses(String type) {
    return said.stream()
        .filter(condition -> condition.type().equals(type))
        .map(Condition::status)
        .toList();
  }

  private static NodeSnapshot snapshot(NodeMonitor monitor) throws Exception {
    return monitor.snapshot().get(1, TimeUnit.MINUTES);
  }

  private void awaitLast(String type, ConditionStatus status) {
    await().until(() -> !statuses(type).isEmpty() && statuses(type).getLast() == status);
  }

  @Test
  @DisplayName("B-9, B-13 a check that finds a problem sets its condition, and clears it again")
  void setAndCleared() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch bad = new CountDownLatch(1);
    CountDownLatch good = new CountDownLatch(1);
    RuntimeQuery runtime =
        _ -> {
          asked.incrementAndGet();
          return bad.getCount() == 0 && good.getCount() == 1
              ? new RuntimeQuery.Status("Down: for now", "", Duration.ZERO)
              : well();
        };
    try (NodeMonitor monitor =
        monitor(
            runtime,
            "{'check':'container-runtime','interval':'50ms','debounce':'0s'" + PATIENT + "}")) {
      awaitLast("ContainerRuntimeUnhealthy", FALSE);
      bad.countDown();
      awaitLast("ContainerRuntimeUnhealthy", TRUE);
      assertThat(said.getLast().message())
          .isEqualTo("container runtime is not ready: Down: for now");
      good.countDown();
      awaitLast("ContainerRuntimeUnhealthy", FALSE);
      SourceView check = snapshot(monitor).sources().getFirst();
      assertThat(check.source()).isEqualTo("node-checks/container-runtime");
      assertThat(check.reads()).isBetween(3L, (long) asked.get());
      assertThat(check.matches()).isPositive();
      assertThat(check.seconds()).isPositive();
      assertThat(statuses("ContainerRuntimeUnhealthy")).containsExactly(FALSE, TRUE, FALSE);
    }
  }

  @Test
  @DisplayName("B-5 a check that worked and fails keeps its state for holdFor")
  void cannotLookAnyMore() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    RuntimeQuery runtime =
        _ -> {
          if (asked.incrementAndGet() > 2) {
            throw new RuntimeQuery.NoRuntimeException();
          }
          return well();
        };
    try (NodeMonitor monitor = monitor(runtime, "")) {
      monitor.watch(List.of(runtimeCheck()));
      awaitLast("ContainerRuntimeUnhealthy", UNKNOWN);
      assertThat(statuses("ContainerRuntimeUnhealthy")).containsExactly(FALSE, UNKNOWN);
      assertThat(said.getLast().reason()).isEqualTo("NotObserved");
      assertThat(said.getLast().message()).isEqualTo("no container runtime found");
      assertThat(snapshot(monitor).sources().getFirst().state())
          .isEqualTo(new SourceState.Failing("no container runtime found"));
    }
  }

  private static Monitor runtimeCheck() {
    return read(
        """
        {'plugin':'check','conditions':[
          {'type':'ContainerRuntimeUnhealthy','reason':'Fine','message':'fine','holdFor':'500ms'}],
         'rules':[{'check':'container-runtime','interval':'50ms','debounce':'0s'}]}\
        """);
  }

  @Test
  @DisplayName("B-17 an unavailable check has no condition; it joins when it works")
  void neverCouldLook() throws Exception {
    CountDownLatch installed = new CountDownLatch(1);
    RuntimeQuery runtime =
        _ -> {
          if (installed.getCount() > 0) {
            throw new RuntimeQuery.NoRuntimeException();
          }
          return well();
        };
    List<List<ConditionSpec>> watching = new CopyOnWriteArrayList<>();
    try (NodeMonitor monitor = monitor(runtime, "")) {
      monitor.addListener(
          new MonitorListener() {
            @Override
            public void watching(List<ConditionSpec> specs) {
              watching.add(specs);
            }
          });
      monitor.watch(List.of(runtimeCheck()));
      await().until(() -> snapshot(monitor).sources().getFirst().reads() > 20);
      assertThat(said).isEmpty();
      NodeSnapshot blind = snapshot(monitor);
      assertThat(blind.conditions()).isEmpty();
      assertThat(blind.problems()).as("nor is it 0 in problem_gauge").isEmpty();
      assertThat(blind.sources().getFirst().state())
          .isEqualTo(new SourceState.Unavailable(Obstacle.NOT_THERE, "no container runtime found"));
      assertThat(watching.getLast()).as("so that it is taken off the Node").isEmpty();
      installed.countDown();
      awaitLast("ContainerRuntimeUnhealthy", FALSE);
      assertThat(watching.getLast()).hasSize(1);
      assertThat(statuses("ContainerRuntimeUnhealthy")).containsExactly(FALSE);
      assertThat(snapshot(monitor).sources().getFirst().state())
          .isEqualTo(new SourceState.Running());
    }
  }

  @Test
  @DisplayName("B-13 a check listed more than once has a distinct name each time")
  void moreThanOnce() throws Exception {
    try (NodeMonitor monitor =
        monitor(_ -> well(), "{'check':'pids'},{'check':'zombies'},{'check':'pids'}")) {
      await().until(() -> !snapshot(monitor).sources().isEmpty());
      assertThat(snapshot(monitor).sources())
          .extracting(SourceView::source)
          .containsExactly("node-checks/pids", "node-checks/zombies", "node-checks/pids#2");
    }
  }

  @Test
  @DisplayName("B-12 a check interrupted by a reload reports nothing")
  void cutShort() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    RuntimeQuery runtime =
        _ -> {
          if (asked.incrementAndGet() > 1) {
            return well();
          }
          try {
            new CountDownLatch(1).await();
            throw new IllegalStateException("nobody opens it");
          } catch (InterruptedException cut) {
            throw new IOException("cut short", cut);
          }
        };
    String rule = "{'check':'container-runtime','interval':'50ms','debounce':'0s'" + PATIENT + "}";
    try (NodeMonitor monitor = monitor(runtime, rule)) {
      await().until(() -> asked.get() == 1);
      String other = rule.replace("50ms", "60ms");
      monitor.watch(List.of(read("{'plugin':'check','rules':[" + other + "]}")));
      await().until(() -> asked.get() > 3);
      awaitLast("ContainerRuntimeUnhealthy", FALSE);
      assertThat(statuses("ContainerRuntimeUnhealthy")).containsExactly(FALSE);
    }
  }

  @Test
  @DisplayName("NM-12 a hanging check is Unknown, no second run starts, others continue")
  void hangs() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch stuck = new CountDownLatch(1);
    RuntimeQuery runtime =
        _ -> {
          asked.incrementAndGet();
          stuck.await();
          return well();
        };
    try (NodeMonitor monitor =
        monitor(
            runtime,
            "{'check':'container-runtime','interval':'50ms','timeout':'200ms'},"
                + "{'check':'disk-io','interval':'50ms'}")) {
      await().until(() -> snapshot(monitor).sources().get(1).reads() > 20);
      await()
          .until(
              () -> snapshot(monitor).sources().getFirst().trouble(),
              "no answer within 200ms"::equals);
      assertThat(snapshot(monitor).sources().getFirst().timeouts()).isEqualTo(1);
      assertThat(asked).hasValue(1);
      stuck.countDown();
      awaitLast("ContainerRuntimeUnhealthy", FALSE);
    }
  }

  @Test
  @DisplayName(
      "NM-12 a hung mount is Unknown, then True after its debounce; it clears; others "
          + "continue")
  void hungMount() throws Exception {
    Path mount = Files.createDirectory(dir.resolve("hung"));
    assumeTrue(Files.isWritable(Path.of("/dev/fuse")) && isRoot(), "takes root and FUSE");
    Process unanswering = hang(mount);
    try (NodeMonitor _ =
        monitor(
            _ -> well(),
            "{'check':'disk-io','folder':'%s'%s},{'check':'container-runtime'%s}"
                .formatted(mount, OFTEN + "'300ms'", OFTEN + "'1m'"))) {
      awaitLast("DiskUnresponsive", TRUE);
      assertThat(statuses("DiskUnresponsive")).containsExactly(UNKNOWN, TRUE);
      List<Condition> ofDisk =
          said.stream().filter(condition -> condition.type().equals("DiskUnresponsive")).toList();
      assertThat(
              Duration.between(
                  ofDisk.getFirst().lastTransitionTime(), ofDisk.getLast().lastTransitionTime()))
          .isGreaterThanOrEqualTo(Duration.ofMillis(500));
      assertThat(ofDisk.getLast().reason()).isEqualTo("DiskIOFailed");
      awaitLast("ContainerRuntimeUnhealthy", FALSE);
      assertThat(statuses("ContainerRuntimeUnhealthy")).containsExactly(FALSE);
      unanswering.destroyForcibly().waitFor(); // which is the end of the filesystem too
      run("umount", "-l", mount.toString());
      awaitLast("DiskUnresponsive", FALSE);
    } finally {
      unanswering.destroyForcibly();
      run("umount", "-l", mount.toString());
    }
  }

  /** Mounts a filesystem whose server never answers. */
  private static Process hang(Path mount) throws Exception {
    String script =
        "exec 3<>/dev/fuse;"
            + " mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none \"$1\" || exit 1;"
            + " echo mounted; exec sleep 1000";
    Process process =
        new ProcessBuilder("/bin/sh", "-c", script, "sh", mount.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String first = process.inputReader().readLine();
    assumeTrue("mounted".equals(first), "may not mount here");
    return process;
  }

  private static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  private static void run(String... command) throws Exception {
    new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
