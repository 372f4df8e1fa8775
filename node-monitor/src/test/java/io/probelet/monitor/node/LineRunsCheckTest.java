package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.RuntimeQuery;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** a line triggers the check, and only the check's result counts. */
@Timeout(300)
class LineRunsCheckTest {
  private static final Monitor LOG =
      read(
          """
          {'plugin': 'kmsg', 'source': 'log', 'bufferSize': 1, 'rules': [
            {'type': 'temporary', 'reason': 'RuntimeDied', 'pattern': '^runtime died',
             'runs': ['container-runtime']}]}\
          """);
  private static final Monitor SELDOM =
      read(
          """
          {'plugin': 'check', 'rules': [
            {'check': 'container-runtime', 'interval': '10h', 'debounce': '0s', 'timeout': '1m'}]}\
          """);

  @TempDir Path dir;
  private final AtomicInteger runs = new AtomicInteger();
  private volatile boolean bad;

  private NodeMonitor monitor(RuntimeQuery runtime) throws Exception {
    Machine machine =
        Machine.of(
            Path.of("/"),
            dir.resolve("state"),
            Optional.of(runtime),
            SystemClock.INSTANCE,
            new Random(1));
    NodeMonitor monitor =
        new NodeMonitor(
            new MonitorSettings(
                dir.resolve("state/state.json"),
                Files.createFile(dir.resolve("kmsg")),
                JournalAccess.USUAL,
                machine,
                ZoneOffset.UTC),
            SystemClock.INSTANCE);
    monitor.watch(List.of(LOG, SELDOM));
    return monitor;
  }

  private RuntimeQuery.Status status() {
    runs.incrementAndGet();
    return new RuntimeQuery.Status(bad ? "Down: died" : "", "", Duration.ZERO);
  }

  private void log(String lines) throws Exception {
    Files.writeString(dir.resolve("kmsg"), lines, StandardOpenOption.APPEND);
  }

  private static NodeSnapshot snapshot(NodeMonitor monitor) throws Exception {
    return monitor.snapshot().get(1, TimeUnit.MINUTES);
  }

  private static Optional<ConditionStatus> status(NodeMonitor monitor) throws Exception {
    return snapshot(monitor).conditions().stream().map(Condition::status).findFirst();
  }

  private static void awaitReading(NodeMonitor monitor) {
    await()
        .until(() ->
            snapshot(monitor).sources().stream()
                    .filter(source -> source.state() instanceof SourceState.Running)
                    .count()
                == 2);
  }

  @Test
  @DisplayName("A-11 the condition follows the line if the check confirms it, and not otherwise")
  void confirmed() throws Exception {
    try (NodeMonitor monitor = monitor(_ -> status())) {
      awaitReading(monitor);
      await().until(() -> status(monitor).equals(Optional.of(FALSE)));
      log("runtime died\n");
      await().until(() -> runs.get() == 2);
      await().until(() -> snapshot(monitor).events().size() == 1);
      assertThat(status(monitor)).contains(FALSE);
      bad = true;
      log("something else\nruntime died\n");
      await().until(() -> status(monitor).equals(Optional.of(TRUE)));
      assertThat(runs).hasValue(3);
      bad = false;
      log("runtime died\n"); // no line clears it either: the check does
      await().until(() -> status(monitor).equals(Optional.of(FALSE)));
    }
  }

  @Test
  @DisplayName("A-11 a flood of lines does not make a check run without a pause")
  void flood() throws Exception {
    try (NodeMonitor monitor = monitor(_ -> status())) {
      awaitReading(monitor);
      long begun = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        log("runtime died\n".repeat(100));
      }
      await().until(() -> snapshot(monitor).sources().getFirst().matches() == 2000);
      await().until(() -> runs.get() >= 3);
      long periods = Duration.ofNanos(System.nanoTime() - begun).dividedBy(CheckWatch.APART);
      assertThat((long) runs.get()).isLessThanOrEqualTo(1 + 1 + periods);
    }
  }

  @Test
  @DisplayName("A-11 a line during a run causes another run")
  void whileItRuns() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    RuntimeQuery runtime =
        _ -> {
          RuntimeQuery.Status found = status();
          if (runs.get() == 2) {
            second.await();
          }
          return found;
        };
    try (NodeMonitor monitor = monitor(runtime)) {
      awaitReading(monitor);
      log("runtime died\n");
      await().until(() -> runs.get() == 2);
      bad = true;
      log("runtime died\n");
      await().until(() -> snapshot(monitor).events().size() == 2);
      second.countDown();
      await().until(() -> status(monitor).equals(Optional.of(TRUE)));
    }
  }
}
