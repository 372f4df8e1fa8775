package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Deadlines of few lengths, on a loop whose time a test lets pass. */
class DeadlinesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualLoop loop = new VirtualLoop();
  private final long start = loop.time().nanoTime();
  private final List<String> ran = new ArrayList<>();
  private int alarms;

  private final Deadlines deadlines =
      new Deadlines(
          loop.time(),
          (due, task) -> {
            alarms++;
            return loop.at(due, task);
          });

  @Test
  @DisplayName("each runs when it is due, to the nanosecond, whatever its length")
  void exactly() {
    in(SECOND, "a");
    loop.advance(Duration.ofNanos(17));
    in(SECOND, "b");
    in(Duration.ofNanos(5), "short");
    loop.advance(SECOND.multipliedBy(2));
    assertThat(ran).containsExactly("short at 22", "a at 1000000000", "b at 1000000017");
  }

  @Test
  @DisplayName("those that are called off cost one timer of the loop for each length, not each")
  void calledOff() {
    for (int i = 0; i < 1000; i++) {
      in(SECOND, "never").cancel();
      loop.advance(Duration.ofMillis(1));
    }
    ProbeLoop.Timer kept = in(SECOND, "kept");
    assertThat(alarms).isEqualTo(2);
    loop.advance(Duration.ofMillis(999));
    assertThat(ran).isEmpty();
    loop.advance(Duration.ofMillis(1));
    assertThat(ran).containsExactly("kept at 2000000000");
    kept.cancel();
  }

  @Test
  @DisplayName("a length without timers is forgotten")
  void forgotten() {
    for (int millis = 1; millis <= 100; millis++) {
      in(Duration.ofMillis(millis), "never").cancel();
    }
    assertThat(deadlines.lengths()).isEqualTo(100);
    loop.advance(SECOND);
    assertThat(deadlines.lengths()).isZero();
    in(Duration.ofMillis(100), "again");
    loop.advance(SECOND);
    assertThat(ran).containsExactly("again at 1100000000");
  }

  @Test
  @DisplayName("one that began because of another waits its own time, with one timer for both")
  void oneAfterTheOther() {
    deadlines.in(SECOND, () -> in(SECOND, "second"));
    loop.advance(SECOND);
    assertThat(alarms).isEqualTo(2);
    loop.advance(SECOND);
    assertThat(ran).containsExactly("second at 2000000000");
    assertThat(alarms).isEqualTo(2);
  }

  @Test
  @DisplayName("after a stall all that are due run, in order; what one throws stops none")
  void stall() {
    in(SECOND, "a");
    deadlines.in(
        SECOND,
        () -> {
          throw new IllegalStateException("a bug");
        });
    in(SECOND, "b");
    loop.stall(Duration.ofSeconds(3));
    loop.run();
    assertThat(ran).containsExactly("a at 3000000000", "b at 3000000000");
  }

  private ProbeLoop.Timer in(Duration delay, String name) {
    return deadlines.in(delay, () -> ran.add(name + " at " + (loop.time().nanoTime() - start)));
  }
}
