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

@Timeout(300)
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
      await().untilTrue(come);
    }
  }

  @Test
  @DisplayName("R-4 a wall clock that is set forward is noticed soon")
  void clockSet() throws InterruptedException {
    Instant moment = clock.wallTime().plusSeconds(3600);
    AtomicBoolean come = new AtomicBoolean();
    CountDownLatch asked = new CountDownLatch(1);
    try (Loop loop = new Loop(clock)) {
      loop.start(
          () -> come.compareAndSet(false, !clock.wallTime().isBefore(moment)),
          () -> {
            asked.countDown();
            return come.get() ? null : moment;
          });
      asked.await();
      clock.advance(Duration.ofSeconds(3601));
      await().untilTrue(come);
    }
  }

  @Test
  @DisplayName("what comes after the end is dropped, and troubles nobody")
  void closed() {
    Loop loop = new Loop(clock);
    loop.close();
    AtomicBoolean ran = new AtomicBoolean();
    loop.post(() -> ran.set(true));
    loop.postAfter(Duration.ZERO, () -> ran.set(true));
    assertThat(ran).isFalse();
  }

  @Test
  @DisplayName("of tasks with one key that wait together only the last is run")
  void latest() throws InterruptedException {
    List<String> ran = new CopyOnWriteArrayList<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    try (Loop loop = new Loop(clock)) {
      loop.post(() -> {
        begun.countDown();
        try {
          busy.await();
        } catch (InterruptedException stop) {
          Thread.currentThread().interrupt();
        }
      });
      begun.await();
      loop.post("a", () -> ran.add("a1"));
      loop.post("b", () -> ran.add("b1"));
      loop.post("a", () -> ran.add("a2"));
      busy.countDown();
      await().until(() -> ran.size() == 2);
      assertThat(ran)
          .as("as they came: b1 may be the end of what a2 makes anew")
          .containsExactly("b1", "a2");
    }
  }
}
