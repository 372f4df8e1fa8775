package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SerialLoop;
import io.probelet.health.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReconcileLoopTest {
  private final VirtualTime time = new VirtualTime();
  private final ReconcileLoop loop = new ReconcileLoop(time.loop("test"), time.clock());

  @Test
  @DisplayName("R-4 the next moment comes, however far away, though nothing happens until then")
  void moment() {
    AtomicBoolean come = comeAt(time.clock().wallTime().plusMillis(2300));
    time.advance(Duration.ofMillis(2299));
    assertThat(come).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(come).isTrue();
  }

  @Test
  @DisplayName("R-4 a wall clock that is set forward is noticed soon")
  void clockSet() {
    AtomicBoolean come = comeAt(time.clock().wallTime().plusSeconds(3600));
    time.runDue();
    time.clock().stepWallClock(Duration.ofSeconds(3601));
    time.advance(Duration.ofSeconds(1));
    assertThat(come).isTrue();
  }

  @Test
  @DisplayName("what comes after the end is dropped, and troubles nobody")
  void closed() {
    loop.close();
    AtomicBoolean ran = new AtomicBoolean();
    loop.post(() -> ran.set(true));
    loop.postAfter(Duration.ZERO, () -> ran.set(true));
    time.advance(Duration.ofSeconds(1));
    assertThat(ran).isFalse();
  }

  @Test
  @DisplayName("of tasks with one key that wait together only the last is run")
  void latest() {
    List<String> ran = new ArrayList<>();
    loop.post("a", () -> ran.add("a1"));
    loop.post("b", () -> ran.add("b1"));
    loop.post("a", () -> ran.add("a2"));
    time.runDue();
    assertThat(ran)
        .as("as they came: b1 may be the end of what a2 makes anew")
        .containsExactly("b1", "a2");
  }

  @Test
  @DisplayName("a task that fails does not keep the others from running, nor the work")
  void mistake() {
    List<String> ran = new ArrayList<>();
    loop.start(() -> ran.add("work"), () -> null);
    loop.post(() -> {
      throw new IllegalStateException("a mistake");
    });
    loop.post(() -> ran.add("other"));
    time.runDue();
    assertThat(ran).containsExactly("other", "work");
  }

  @Test
  @DisplayName("news is taken however many questions wait")
  void crowded() {
    SerialLoop crowded = time.loop("crowded");
    ReconcileLoop taking = new ReconcileLoop(crowded, time.clock());
    while (crowded.offer(() -> {})) {
      // until it takes no more
    }
    AtomicBoolean ran = new AtomicBoolean();
    taking.post(() -> ran.set(true));
    time.runDue();
    assertThat(ran).isTrue();
  }

  private AtomicBoolean comeAt(Instant moment) {
    AtomicBoolean come = new AtomicBoolean();
    loop.start(
        () -> come.compareAndSet(false, !time.clock().wallTime().isBefore(moment)),
        () -> loop.until(come.get() ? null : moment));
    return come;
  }
}
