package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.track.ClockReading;
import io.probelet.monitor.track.Evidence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transition due while other evidence is processed is not lost (B-2). */
class CoincidenceTest {
  private static final Monitor TWO =
      read(
          """
          {'plugin': 'kmsg', 'source': 's', 'conditions': [
             {'type': 'Slow', 'reason': 'Well', 'message': 'well'},
             {'type': 'Other', 'reason': 'Well', 'message': 'well'}],
           'rules': [
             {'type': 'permanent', 'condition': 'Slow', 'reason': 'Bad', 'pattern': 'bad',
              'debounce': '60s'},
             {'type': 'permanent', 'condition': 'Other', 'reason': 'Odd', 'pattern': 'odd'}]}\
          """);

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));

  private ClockReading now() {
    return ClockReading.of(clock);
  }

  @Test
  @DisplayName("B-2 evidence for one condition does not drop a due transition of another")
  void otherEvidenceAtTheDueMoment() {
    NodeConditions conditions = NodeConditions.of(Map.of("s", TWO));
    conditions = conditions.observe("s/Slow/Bad", new Evidence.Watching(), now()).after();
    conditions = conditions.observe("s/Slow/Bad", new Evidence.Matched("bad"), now()).after();
    clock.advance(Duration.ofSeconds(60));
    conditions = conditions.observe("s/Other/Odd", new Evidence.Watching(), now()).after();
    assertThat(conditions.nextWakeUp())
        .as("the debounce is due and has not been thought about")
        .hasValueSatisfying(due -> assertThat(now().reached(due)).isTrue());
    conditions = conditions.at(now()).after();
    assertThat(conditions.conditions())
        .extracting(condition -> condition.status())
        .containsExactly(TRUE, FALSE);
    assertThat(conditions.nextWakeUp().filter(due -> now().reached(due)))
        .as("and then it is done with")
        .isEmpty();
  }

  /** Each clock read of the monitor's loop advances two minutes. */
  private static final class SlowLoop implements TimeSource {
    private final AtomicLong ahead = new AtomicLong();

    @Override
    public long nanoTime() {
      boolean loop = Thread.currentThread().getName().equals("node-monitor");
      long more = loop ? Duration.ofMinutes(2).toNanos() : 0;
      return SystemClock.INSTANCE.nanoTime() + ahead.addAndGet(more);
    }

    @Override
    public Instant wallTime() {
      return SystemClock.INSTANCE.wallTime();
    }
  }

  @Test
  @DisplayName("B-2 a transition due between two clock reads is not lost")
  void dueBetweenTwoLooksAtTheClock(@TempDir Path dir) throws Exception {
    Path kmsg = Files.createFile(dir.resolve("kmsg"));
    Machine machine =
        Machine.of(
            Path.of("/"),
            dir.resolve("state"),
            Optional.empty(),
            SystemClock.INSTANCE,
            new Random(1));
    MonitorSettings settings =
        new MonitorSettings(
            dir.resolve("state/state.json"), kmsg, JournalAccess.USUAL, machine, ZoneOffset.UTC);
    try (NodeMonitor monitor = new NodeMonitor(settings, new SlowLoop())) {
      monitor.watch(List.of(TWO));
      await().until(() -> statuses(monitor).contains("Slow=False"));
      Files.writeString(kmsg, "bad\n");
      await().until(() -> statuses(monitor).contains("Slow=True"));
    }
  }

  private static List<String> statuses(NodeMonitor monitor) throws Exception {
    return monitor.snapshot().get(1, TimeUnit.MINUTES).conditions().stream()
        .map(condition -> condition.type() + "=" + condition.status())
        .toList();
  }
}
