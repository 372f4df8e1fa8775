package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timers that share slots, on a loop whose time a test lets pass. */
class SlotTimersTest {
  private final VirtualLoop loop = new VirtualLoop();
  private final long start = loop.time().nanoTime();
  private final List<String> ran = new ArrayList<>();
  private final List<Long> alarms = new ArrayList<>();
  private int calledOff;

  private final SlotTimers timers =
      new SlotTimers(
          loop.time(),
          (due, task) -> {
            alarms.add(due);
            ProbeLoop.Timer timer = loop.at(due, task);
            return () -> {
              calledOff++;
              timer.cancel();
            };
          });

  /** The first slot that begins after the start. */
  private final long slot = start + SlotTimers.untilSlotEnds(start);

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 2999999",
    "2999999, 1",
    "3000000, 0",
    "3000001, 2999999",
    "-1, 1",
    "-3000000, 0"
  })
  @DisplayName("what falls due in a slot waits for its end")
  void slots(long due, long wait) {
    assertThat(SlotTimers.untilSlotEnds(due)).isEqualTo(wait);
  }

  @Test
  @DisplayName("what falls due in one slot shares one timer of the loop and runs in order")
  void together() {
    at(1, "a");
    at(3, "b");
    at(4, "later");
    at(2, "c");
    assertThat(alarms).containsExactly(slot + millis(3), slot + millis(6));
    passTo(3);
    assertThat(ran).containsExactly("a at 3", "b at 3", "c at 3");
    passTo(15);
    assertThat(ran).endsWith("later at 6").hasSize(4);
    assertThat(alarms).hasSize(2);
  }

  @Test
  @DisplayName("nothing runs early, whether near or an hour away")
  void never() {
    at(Duration.ofHours(1).toMillis() + 1, "far");
    passTo(Duration.ofHours(1).toMillis() + 2);
    assertThat(ran).isEmpty();
    passTo(Duration.ofHours(1).toMillis() + 3);
    assertThat(ran).hasSize(1);
  }

  @Test
  @DisplayName("cancelled timers do not run; an empty slot causes no wake-up")
  void calledOff() {
    ProbeLoop.Timer first = at(1, "first");
    ProbeLoop.Timer second = at(2, "second");
    at(2, "third").cancel();
    first.cancel();
    first.cancel();
    assertThat(calledOff).isZero();
    second.cancel();
    assertThat(calledOff).isOne();
    at(3, "again");
    passTo(7);
    assertThat(ran).containsExactly("again at 3");
  }

  @Test
  @DisplayName("a task may call off another of its slot and ask for the same slot again")
  void amongThem() {
    ProbeLoop.Timer[] other = new ProbeLoop.Timer[1];
    timers.at(
        slot + millis(3),
        () -> {
          other[0].cancel();
          at(3, "again");
        });
    other[0] = at(3, "other");
    passTo(3);
    assertThat(ran).containsExactly("again at 3");
  }

  @Test
  @DisplayName("a timer that is set again runs at the new moment only, as often as it is set")
  void setAgain() {
    ProbeLoop.RepeatedTimer timer = repeated("timer");
    timer.set(slot + millis(1));
    timer.set(slot + millis(7));
    passTo(6);
    assertThat(ran).isEmpty();
    passTo(9);
    timer.set(slot + millis(13));
    at(13, "other");
    passTo(15);
    assertThat(ran).containsExactly("timer at 9", "timer at 15", "other at 15");
    assertThat(calledOff).isOne();
  }

  @Test
  @DisplayName("a slot asked for while it runs is another one: neither calls off what is in it")
  void sameSlotTwice() {
    ProbeLoop.RepeatedTimer again = repeated("again");
    ProbeLoop.Timer[] other = new ProbeLoop.Timer[1];
    timers.at(
        slot + millis(3),
        () -> {
          again.cancel();
          again.set(slot + millis(3));
          at(3, "called off").cancel();
          other[0].cancel();
        });
    other[0] = at(3, "other");
    again.set(slot + millis(3));
    at(3, "last");
    passTo(6);
    assertThat(ran).containsExactly("last at 3", "again at 3");
  }

  @Test
  @DisplayName("what one task throws keeps none of the others from running")
  void bug() {
    timers.at(
        slot + millis(1),
        () -> {
          throw new IllegalStateException("a bug");
        });
    at(2, "other");
    passTo(3);
    assertThat(ran).containsExactly("other at 3");
  }

  @Test
  @DisplayName("after two milliseconds of tasks sockets have their turn; none is left out")
  void inTurn() {
    for (int i = 0; i < 5; i++) {
      String name = "task " + i;
      timers.at(
          slot + millis(3),
          () -> {
            loop.time().advance(Duration.ofMillis(1));
            ran.add(name);
          });
    }
    ProbeLoop.Timer last = at(3, "called off meanwhile");
    loop.at(slot + millis(3), () -> ran.add("sockets"));
    loop.at(slot + millis(4), last::cancel);
    passTo(30);
    assertThat(ran).containsExactly("task 0", "task 1", "sockets", "task 2", "task 3", "task 4");
  }

  private ProbeLoop.Timer at(long millis, String name) {
    return timers.at(
        slot + millis(millis),
        () -> ran.add(name + " at " + (loop.time().nanoTime() - slot) / millis(1)));
  }

  private ProbeLoop.RepeatedTimer repeated(String name) {
    return timers.timer(() -> ran.add(name + " at " + (loop.time().nanoTime() - slot) / millis(1)));
  }

  private void passTo(long millis) {
    loop.advance(Duration.ofNanos(slot + millis(millis) - loop.time().nanoTime()));
  }

  private static long millis(long count) {
    return Duration.ofMillis(count).toNanos();
  }
}
