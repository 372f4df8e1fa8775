package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The order of tasks in virtual time. */
class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime();
  private final SerialLoop loop = time.loop("one");
  private final List<String> seen = new ArrayList<>();

  private void see(String what) {
    seen.add(Duration.ofNanos(time.clock().nanoTime()).toSeconds() + " " + what);
  }

  @Test
  @DisplayName("tasks and alarms run by time, then by arrival")
  void order() {
    loop.after(Duration.ofSeconds(2), () -> see("alarm 2"));
    loop.after(
        Duration.ofSeconds(1),
        () -> {
          see("alarm 1");
          loop.execute(() -> see("its task"));
          loop.after(Duration.ofSeconds(1), () -> see("its alarm"));
        });
    loop.execute(() -> see("a"));
    loop.after(Duration.ZERO, () -> see("b"));
    loop.after(Duration.ofSeconds(-1), () -> see("c"));
    loop.execute(() -> see("d"));
    assertThat(seen).isEmpty();
    time.runDue();
    assertThat(seen).containsExactly("0 a", "0 b", "0 c", "0 d");
    time.advance(Duration.ofSeconds(10));
    assertThat(seen)
        .endsWith("0 d", "1 alarm 1", "1 its task", "2 alarm 2", "2 its alarm")
        .hasSize(8);
    assertThat(time.clock().wallTime()).isEqualTo(VirtualTime.START.plusSeconds(10));
  }

  @Test
  @DisplayName("an alarm runs at its time, once")
  void rings() {
    Alarm alarm = loop.alarm(() -> see("rung"));
    assertThat(alarm.isSet()).isFalse();
    alarm.set(Duration.ofSeconds(5));
    assertThat(alarm.isSet()).isTrue();
    time.advance(Duration.ofSeconds(5).minusNanos(1));
    assertThat(seen).isEmpty();
    time.advance(Duration.ofNanos(1));
    assertThat(alarm.isSet()).isFalse();
    time.advance(Duration.ofHours(1));
    assertThat(seen).containsExactly("5 rung");
  }

  @Test
  @DisplayName("a reset alarm runs at the new time only; a canceled one never")
  void moves() {
    Alarm alarm = loop.after(Duration.ofSeconds(5), () -> see("rung"));
    alarm.set(Duration.ofSeconds(7));
    Alarm other = loop.after(Duration.ofSeconds(6), () -> see("never"));
    other.cancel();
    other.cancel();
    time.advance(Duration.ofSeconds(8));
    alarm.setAt(time.clock().nanoTime() + Duration.ofSeconds(1).toNanos());
    time.advance(Duration.ofSeconds(2));
    alarm.setAt(0); // long past
    time.runDue();
    assertThat(seen).containsExactly("7 rung", "9 rung", "10 rung");
  }

  @Test
  @DisplayName("an alarm may set itself again, and waits longer than any clock counts")
  void repeats() {
    Alarm[] alarm = new Alarm[1];
    alarm[0] =
        loop.after(
            Duration.ofSeconds(1),
            () -> {
              see("rung");
              alarm[0].set(Duration.ofSeconds(1));
            });
    time.advance(Duration.ofSeconds(3));
    alarm[0].set(Duration.ofSeconds(Long.MAX_VALUE));
    time.advance(Duration.ofDays(36_499));
    assertThat(seen).containsExactly("1 rung", "2 rung", "3 rung");
  }

  @Test
  @DisplayName("an alarm keeps its order when the monotonic clock overflows")
  void turnsOver() {
    ManualClock clock = new ManualClock(VirtualTime.START);
    clock.advance(Duration.ofNanos(Long.MAX_VALUE - 5));
    TimeSource ahead = overflowing(clock);
    SerialLoop late = new SerialLoop(ahead, "late", 5, failure -> {});
    late.after(Duration.ofNanos(20), () -> seen.add("second"));
    late.after(Duration.ofNanos(3), () -> seen.add("first"));
    assertThat(late.untilNext()).isEqualTo(Duration.ZERO);
    assertThat(late.runNext()).isTrue();
    assertThat(late.runNext()).isFalse();
    assertThat(late.untilNext()).isEqualTo(Duration.ofNanos(16));
    assertThat(seen).containsExactly("first");
  }

  /** Advances four nanoseconds at each read but the first two. */
  private static TimeSource overflowing(ManualClock clock) {
    return new TimeSource() {
      private int reads;

      @Override
      public long nanoTime() {
        return clock.nanoTime() + (reads++ < 2 ? 0 : 4);
      }

      @Override
      public java.time.Instant wallTime() {
        return clock.wallTime();
      }
    };
  }

  @Test
  @DisplayName("several loops share one time, each runs its own tasks")
  void several() {
    SerialLoop other = time.loop("other");
    other.after(
        Duration.ofSeconds(1),
        () -> {
          see("other");
          assertThat(other.inLoop()).isTrue();
          assertThat(loop.inLoop()).isFalse();
          loop.execute(() -> see("asked by other"));
        });
    loop.after(Duration.ofSeconds(2), () -> see("one"));
    other.after(Duration.ofSeconds(2), () -> see("other again"));
    time.advance(Duration.ofSeconds(2));
    assertThat(seen).containsExactly("1 other", "1 asked by other", "2 one", "2 other again");
    assertThat(loop.inLoop()).isFalse();
  }

  @Test
  @DisplayName("an exception of a task fails the test, after the others have run")
  void fails() {
    loop.execute(() -> {
      throw new IllegalStateException("broken");
    });
    loop.execute(() -> see("next"));
    assertThatThrownBy(time::runDue)
        .isInstanceOf(AssertionError.class)
        .hasMessage("a task failed: java.lang.IllegalStateException: broken");
    assertThat(seen).containsExactly("0 next");
    time.runDue(); // reported once
  }

  @Test
  @DisplayName("a loop that never becomes idle is detected")
  void restless() {
    Runnable[] task = new Runnable[1];
    task[0] = () -> loop.execute(task[0]);
    loop.execute(task[0]);
    assertThatThrownBy(time::runDue).hasMessage("after 1000000 tasks there are still more");
  }

  @Test
  @DisplayName("a loop closes as one with a thread does")
  void closes() {
    loop.execute(() -> {
      see("first");
      assertThat(loop.finish(Duration.ZERO)).isFalse();
      loop.execute(() -> see("last"));
    });
    loop.after(Duration.ofSeconds(1), () -> see("never"));
    assertThat(loop.finish(Duration.ZERO)).isTrue();
    assertThat(loop.offer(() -> see("never"))).isFalse();
    time.advance(Duration.ofSeconds(2));
    assertThat(seen).containsExactly("0 first", "0 last");

    SerialLoop other = time.loop("other", 1);
    other.execute(() -> see("never"));
    assertThat(other.offer(() -> {})).isFalse();
    assertThat(other.refused()).isOne();
    assertThat(other.awaitEnd(Duration.ZERO)).isFalse();
    other.close();
    assertThat(other.awaitEnd(Duration.ZERO)).isTrue();
    time.advance(Duration.ofSeconds(1));
    assertThat(seen).hasSize(2);
  }

  @Test
  @DisplayName("other threads may add tasks while time passes")
  void others() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> answer.completeAsync(() -> "heard", loop));
    while (!answer.isDone()) {
      time.runDue();
      Thread.onSpinWait();
    }
    assertThat(answer.join()).isEqualTo("heard");
  }
}
