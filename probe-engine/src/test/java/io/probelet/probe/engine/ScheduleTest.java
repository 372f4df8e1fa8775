package io.probelet.probe.engine;

import static io.probelet.probe.engine.Fixtures.HANDLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the next tick is due. */
class ScheduleTest {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final VirtualLoop loop = new VirtualLoop();
  private int ticks;

  @ParameterizedTest(name = "now {0}: next {1}")
  @CsvSource({"0, 10", "9, 10", "10, 20", "11, 20", "19, 20", "20, 30", "35, 40", "-7, 10"})
  @DisplayName("W-2 ticks keep to their grid, and those that are past are dropped")
  void grid(long now, long next) {
    assertThat(Schedule.next(0, Duration.ofNanos(10), now)).isEqualTo(next);
    assertThat(Schedule.next(100, Duration.ofNanos(10), now + 100)).isEqualTo(next + 100);
  }

  @ParameterizedTest(name = "earliest {0}: tick {1}")
  @CsvSource({"-7, 5", "4, 5", "5, 5", "6, 15", "14, 15", "15, 15", "16, 25", "104, 105"})
  @DisplayName("W-2 the first tick of the grid at a time or after it")
  void from(long earliest, long tick) {
    assertThat(Schedule.from(5, Duration.ofNanos(10), earliest)).isEqualTo(tick);
    assertThat(Schedule.from(-95, Duration.ofNanos(10), earliest - 100)).isEqualTo(tick - 100);
  }

  @Test
  @DisplayName("W-2 the next tick counts from when the last was due, whatever its jitter was")
  void jitterDoesNotAddUp() {
    Schedule schedule = schedule(ProbeSpec.of(HANDLER).jitter(Duration.ofSeconds(2)).build());
    long due = now() + PERIOD.toNanos();
    schedule.begin(due);
    for (int tick = 0; tick < 50; tick++) {
      loop.advance(PERIOD);
      assertThat(schedule.ticked() - due).isBetween(0L, Duration.ofSeconds(2).toNanos() - 1);
      schedule.next(PERIOD);
      due += PERIOD.toNanos();
    }
  }

  @Test
  @DisplayName("W-9 a tick at once moves the ticks that follow it")
  void atOnce() {
    Schedule schedule = schedule(Fixtures.probe());
    schedule.begin(now() + PERIOD.toNanos());
    loop.advance(Duration.ofSeconds(3));
    schedule.atOnce();
    loop.run();
    assertThat(schedule.ticked()).isEqualTo(now());
    schedule.next(PERIOD);
    assertThat(schedule.tickAt()).isEqualTo(now() + PERIOD.toNanos());
    loop.advance(Duration.ofSeconds(20));
    assertThat(ticks).isEqualTo(2);
    schedule.atOnce();
    schedule.cancel();
    loop.advance(Duration.ofSeconds(20));
    assertThat(ticks).isEqualTo(2);
  }

  @Test
  @DisplayName("W-2 one tick at most is kept, the last, and it is taken once")
  void missed() {
    Schedule schedule = schedule(Fixtures.probe());
    assertThat(schedule.takeMissed()).isEmpty();
    schedule.miss(7);
    schedule.miss(8);
    assertThat(schedule.takeMissed()).hasValue(8);
    assertThat(schedule.takeMissed()).isEmpty();
  }

  @Test
  @DisplayName("the shown time of a tick stays until another is planned")
  void shown() {
    loop.advance(Duration.ofHours(1)); // no clock begins with zero
    Schedule schedule = schedule(Fixtures.probe());
    Instant planned = loop.time().wallTime().plusSeconds(10);
    schedule.begin(now() + PERIOD.toNanos());
    loop.advance(Duration.ofSeconds(4));
    assertThat(schedule.shown()).isEqualTo(planned);
    assertThat(schedule.shown(Duration.ofSeconds(6))).isEqualTo(planned);
    assertThat(schedule.shown(Duration.ofSeconds(7))).isEqualTo(planned.plusSeconds(10));
    assertThat(schedule.shown(Duration.ofSeconds(-9))).isEqualTo(planned);
    assertThat(schedule.shown(Duration.ofNanos(Long.MAX_VALUE)))
        .isBetween(planned.plus(Duration.ofDays(9_999)), planned.plus(Duration.ofDays(10_001)));
  }

  private Schedule schedule(ProbeSpec spec) {
    return new Schedule(spec, loop, new Random(7), () -> ticks++);
  }

  private long now() {
    return loop.time().nanoTime();
  }
}
