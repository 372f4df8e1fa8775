package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LoopTest {
  private final TestClock clock = new TestClock();

  @Test
  @DisplayName("R-4 the next moment comes, however far away, though nothing happens until then")
  void moment() {
    Instant moment = clock.wallTime().plusMillis(2300);
    AtomicBoolean come = new AtomicBoolean();
    try (Loop loop = new Loop(clock)) {
      loop.start(
          () -> come.compareAndSet(false, !clock.wallTime().isBefore(moment)),
          () -> come.get() ? null : moment);
      await().atMost(Duration.ofSeconds(10)).untilTrue(come);
      assertThat(clock.wallTime()).isBefore(moment.plusSeconds(2));
    }
  }

  @Test
  @DisplayName("R-4 a wall clock that is set forward is noticed within a second or so")
  void clockSet() {
    Instant moment = clock.wallTime().plusSeconds(3600);
    AtomicBoolean come = new AtomicBoolean();
    try (Loop loop = new Loop(clock)) {
      loop.start(
          () -> come.compareAndSet(false, !clock.wallTime().isBefore(moment)),
          () -> come.get() ? null : moment);
      clock.advance(Duration.ofSeconds(3601));
      await().atMost(Duration.ofSeconds(5)).untilTrue(come);
    }
  }

  @Test
  @DisplayName("of tasks with one key that wait together only the last is run")
  void latest() throws InterruptedException {
    List<String> ran = new CopyOnWriteArrayList<>();
    CountDownLatch busy = new CountDownLatch(1);
    try (Loop loop = new Loop(clock)) {
      loop.post(() -> {
        try {
          busy.await();
        } catch (InterruptedException stop) {
          Thread.currentThread().interrupt();
        }
      });
      await().pollDelay(Duration.ofMillis(50)).until(() -> true);
      loop.post("a", () -> ran.add("a1"));
      loop.post("b", () -> ran.add("b1"));
      loop.post("a", () -> ran.add("a2"));
      busy.countDown();
      await().until(() -> ran.size() == 2);
      assertThat(ran).containsExactly("a2", "b1");
    }
  }
}
