package io.probelet.monitor.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When the Node is written to, in virtual time. */
class PublishScheduleTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final PublishSchedule schedule =
      new PublishSchedule(0, PublishSchedule.HEARTBEAT, new Random(1));

  private void written(long at) {
    schedule.succeeded(at);
  }

  @Test
  @DisplayName("B-8 changes are written a second after the first of them")
  void coalesced() {
    schedule.changed(10 * SECOND);
    schedule.changed(10 * SECOND + 700_000_000);
    assertThat(schedule.due()).isEqualTo(11 * SECOND);
  }

  @Test
  @DisplayName("B-8 a quiet hour has no more than 12 patches, and no fewer: the heartbeat is 5 min")
  void quietHour() {
    written(0);
    int writes = 0;
    while (schedule.due() <= HOUR) {
      written(schedule.due() + SECOND / 10);
      writes++;
    }
    assertThat(writes).isBetween(11, 12);
  }

  @Test
  @DisplayName("B-8 a new message is written once a minute, a new state immediately")
  void otherWords() {
    schedule.changed(0);
    written(SECOND);
    for (int second = 2; second < 60; second++) {
      schedule.messageChanged(second * SECOND);
      assertThat(schedule.due()).isEqualTo(61 * SECOND);
    }
    schedule.changed(30 * SECOND);
    assertThat(schedule.due()).as("a change takes the words along").isEqualTo(31 * SECOND);
    written(31 * SECOND);
    schedule.messageChanged(90 * SECOND);
    assertThat(schedule.due()).isEqualTo(91 * SECOND);
    written(91 * SECOND);
    schedule.messageChanged(200 * SECOND);
    assertThat(schedule.due()).as("after a quiet minute at once").isEqualTo(201 * SECOND);
  }

  @Test
  @DisplayName("B-8 ever-changing messages cause at most 60 writes an hour")
  void chatter() {
    written(0);
    int writes = 0;
    for (long now = SECOND; now <= HOUR; now += SECOND) {
      if (schedule.due() <= now) {
        written(now);
        writes++;
      }
      schedule.messageChanged(now);
    }
    assertThat(writes).isBetween(59, 60);
  }

  @Test
  @DisplayName("B-8 a new message during a write waits, one before the first write does not")
  void otherWordsDuringAWrite() {
    schedule.messageChanged(0);
    assertThat(schedule.due()).isEqualTo(SECOND);
    schedule.succeeded(3 * SECOND);
    schedule.messageChanged(3 * SECOND);
    assertThat(schedule.due()).isEqualTo(63 * SECOND);
  }

  @Test
  @DisplayName("B-8 a change during a write is written a second after it")
  void duringAWrite() {
    schedule.changed(0);
    schedule.succeeded(5 * SECOND);
    schedule.changed(5 * SECOND);
    assertThat(schedule.due()).isEqualTo(6 * SECOND);
  }

  @Test
  @DisplayName("NM-10 failures back off, whatever changes in the meantime")
  void failures() {
    long now = 0;
    int attempts = 0;
    schedule.changed(now);
    while (now < Duration.ofMinutes(10).toNanos()) {
      now = schedule.due();
      schedule.failed(now, Optional.empty());
      schedule.changed(now + 1);
      attempts++;
    }
    assertThat(attempts).isBetween(12, 30);
    schedule.failed(now, Optional.of(Duration.ofSeconds(30)));
    assertThat(schedule.due() - now).isGreaterThanOrEqualTo(30 * SECOND);
    written(now);
    schedule.changed(now);
    assertThat(schedule.due() - now).isEqualTo(SECOND);
  }

  @Test
  @DisplayName(
      "NM-10 when another client reaches the server, the next attempt is due, once per "
          + "series of failures")
  void serverIsBack() {
    long now = 0;
    schedule.changed(now);
    for (int i = 0; i < 5; i++) {
      now = schedule.due();
      schedule.failed(now, Optional.empty());
    }
    assertThat(schedule.due() - now).isGreaterThanOrEqualTo(8 * SECOND);
    schedule.serverIsBack(now);
    assertThat(schedule.due()).isEqualTo(now);
    schedule.failed(now, Optional.empty());
    schedule.serverIsBack(now);
    assertThat(schedule.due()).as("its trouble is its own").isGreaterThan(now);
    written(now);
    schedule.serverIsBack(now);
    assertThat(schedule.due()).isEqualTo(now + PublishSchedule.HEARTBEAT.toNanos());
  }

  @Test
  @DisplayName("B-8 a heartbeat due within the second includes the change")
  void soonDue() {
    long soon = PublishSchedule.HEARTBEAT.toNanos();
    schedule.messageChanged(soon - SECOND / 2);
    assertThat(schedule.due()).as("other words").isEqualTo(soon);
    schedule.changed(soon - SECOND / 4);
    assertThat(schedule.due()).as("a change").isEqualTo(soon);
  }
}
