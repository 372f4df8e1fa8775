package io.probelet.web.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.web.api.RecentEvent;
import io.probelet.web.events.EventLog.Entry;
import io.probelet.web.events.EventLog.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is kept of events, and whose are dropped. */
class EventLogTest {
  private static final int ALL = 100_000;
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));
  private final EventLog log = new EventLog(clock);

  private static Subject container(String namespace, String pod) {
    return new Subject(namespace, pod, "c", "");
  }

  private Entry record(Subject subject, String reason, String message) {
    clock.advance(Duration.ofMillis(1));
    return log.record(subject, reason, message);
  }

  private List<RecentEvent> of(String namespace) {
    return log.newest(ALL).stream().filter(each -> each.namespace().equals(namespace)).toList();
  }

  @Test
  @DisplayName("L-2 a container keeps its newest 40 events, and costs its neighbors none")
  void ofOneContainer() {
    record(container("shop", "web"), "Killing", "the neighbor");
    for (int i = 0; i < 1000; i++) {
      record(container("shop", "noisy"), i % 2 == 0 ? "ProbeFailed" : "ProbeRecovered", "m" + i);
    }
    assertThat(of("shop")).hasSize(EventLog.MAX_OF_CONTAINER + 1);
    assertThat(of("shop").getFirst().message()).isEqualTo("the neighbor");
    assertThat(of("shop").getLast().message()).isEqualTo("m999");
  }

  @Test
  @DisplayName("L-2 a noisy namespace pushes out only its own events")
  void ofOneNamespace() {
    for (int i = 0; i < 20; i++) {
      record(container("shop", "web" + i), "Killing", "m" + i);
    }
    for (int i = 0; i < 3 * EventLog.MAX_EVENTS; i++) {
      record(container("noisy", "p" + i), "ProbeFailed", "m" + i);
    }
    assertThat(log.newest(ALL)).hasSize(EventLog.MAX_EVENTS);
    assertThat(of("shop")).hasSize(20);
    assertThat(of("noisy").getLast().message()).isEqualTo("m" + (3 * EventLog.MAX_EVENTS - 1));
  }

  @Test
  @DisplayName(
      "L-2 the log is bounded in size as well: messages are cut, and the largest tenant pays")
  void size() {
    record(container("shop", "web"), "Killing", "x".repeat(10_000));
    String name = "n".repeat(250);
    for (int i = 0; i < EventLog.MAX_EVENTS; i++) {
      record(container(name, name + i), "ProbeFailed", "y".repeat(10_000));
    }
    int chars =
        log.newest(ALL).stream()
            .mapToInt(each -> each.object().length() + each.message().length())
            .sum();
    assertThat(chars).isLessThan(EventLog.MAX_SIZE);
    assertThat(of("shop")).hasSize(1);
    assertThat(of("shop").getFirst().message().length()).isLessThan(EventLog.MAX_MESSAGE + 10);
    assertThat(of(name)).hasSizeBetween(1000, EventLog.MAX_EVENTS - 1);
  }

  @Test
  @DisplayName("L-2 the same again is the same event, with true times and a count")
  void again() {
    Entry failed = record(container("shop", "web"), "ProbeFailed", "refused");
    clock.advance(Duration.ofHours(1));
    log.again(failed, "timed out");
    log.record(container("shop", "web"), "ProbeFailed", "timed out again");
    assertThat(log.newest(ALL))
        .containsExactly(
            new RecentEvent(
                "2026-11-21T12:00:00.001Z",
                "2026-11-21T13:00:00.001Z",
                3,
                "shop",
                "web",
                "c",
                "",
                "ProbeFailed",
                "timed out again"));
  }

  @Test
  @DisplayName("L-2 a streak that was pushed out comes back with its beginning and count")
  void comesBack() {
    Entry failed = record(container("shop", "web"), "ProbeFailed", "refused");
    for (int i = 0; i < 100; i++) {
      record(container("shop", "web"), i % 2 == 0 ? "A" : "B", "m");
    }
    assertThat(log.newest(ALL)).noneMatch(each -> each.reason().equals("ProbeFailed"));
    log.again(failed, "refused");
    assertThat(log.newest(ALL))
        .hasSize(EventLog.MAX_OF_CONTAINER)
        .filteredOn(each -> each.reason().equals("ProbeFailed"))
        .singleElement()
        .satisfies(each -> assertThat(each.count()).isEqualTo(2))
        .satisfies(each -> assertThat(each.time()).isEqualTo("2026-11-21T12:00:00.001Z"));
  }

  @Test
  @DisplayName("the newest are those that happened last; they come in the order they began")
  void newest() {
    Entry old = record(container("shop", "a"), "ProbeFailed", "old");
    record(container("shop", "b"), "Killing", "b");
    record(container("shop", "c"), "Killing", "c");
    log.again(old, "old, and still");
    assertThat(log.newest(2))
        .extracting(RecentEvent::message)
        .containsExactly("old, and still", "c");
    assertThat(log.newest(0)).isEmpty();
  }

  @Test
  @DisplayName("what a target says stays on one line")
  void oneLine() {
    record(container("shop", "a"), "ProbeFailed", "a\n\u001b[2Jb");
    assertThat(log.newest(ALL).getFirst().message()).doesNotContain("\n", "\u001b");
  }
}
