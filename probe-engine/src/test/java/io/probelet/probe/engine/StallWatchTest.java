package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.engine.StallWatch.Mark;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** W-12: what counts as a stall of our own. */
class StallWatchTest {
  private final VirtualLoop loop = new VirtualLoop();
  private final StallWatch watch = new StallWatch(loop);

  @ParameterizedTest
  @CsvSource({
    "90, 1000, false",
    "100, 1000, true",
    "400, 5000, false",
    "500, 5000, true",
    "90, 100, true",
    "20, 100, true",
    "13, 100, true",
    "12, 100, false",
    "6, 100, false",
    "15, 200, false",
    "25, 200, true",
    "35, 400, false",
    "45, 400, true"
  })
  @DisplayName("W-12 a stall counts from a tenth of the timeout")
  void limit(long stallMillis, long timeoutMillis, boolean stalled) {
    Mark start = begin(Duration.ofMillis(timeoutMillis));
    loop.advance(Duration.ofMillis(50));
    loop.stall(Duration.ofMillis(stallMillis));
    assertThat(watch.stalledSince(start, Duration.ofMillis(timeoutMillis))).isEqualTo(stalled);
  }

  @Test
  @DisplayName("W-12 a busy loop that keeps its beat has not stalled")
  void noStall() {
    Mark start = begin();
    loop.advance(Duration.ofSeconds(30));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
  }

  @Test
  @DisplayName("W-12 a stall that ended before the probe began is not blamed on it")
  void earlierStall() {
    begin();
    loop.stall(Duration.ofSeconds(30));
    Mark second = begin();
    loop.advance(Duration.ofMillis(200));
    assertThat(watch.stalledSince(second, Duration.ofSeconds(1))).isFalse();
  }

  @Test
  @DisplayName("W-12 a suspended machine, whose monotonic clock stood still, has stalled")
  void suspended() {
    Mark start = begin();
    loop.time().suspend(Duration.ofMinutes(5));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isTrue();
    assertThat(watch.lostSince(start)).isEqualTo(Duration.ofMinutes(5).toNanos());
  }

  @ParameterizedTest
  @CsvSource({"-3600000", "-100", "100", "60000", "3600000", "9223372036854775"})
  @DisplayName("W-12 a wall clock that is set, forward or back, is no stall")
  void clockSet(long millis) {
    Mark start = begin();
    loop.time().stepWallClock(Duration.ofMillis(millis));
    assertThat(watch.stalledSince(start, Duration.ofMillis(100))).isFalse();
    assertThat(watch.lostSince(start)).isZero();
  }

  @Test
  @DisplayName("W-12 a suspension counts as long as it was, whatever the clock is set by then")
  void suspendedAndSet() {
    Mark start = begin();
    loop.time().suspend(Duration.ofMillis(400));
    loop.time().stepWallClock(Duration.ofHours(1));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isTrue();
    assertThat(watch.lostSince(start)).isEqualTo(Duration.ofMillis(400).toNanos());
  }

  @Test
  @DisplayName("W-12 a suspension without a probe under way is not found with a later step")
  void suspendedWhileIdle() {
    loop.time().suspend(Duration.ofHours(1));
    Mark start = begin();
    loop.time().stepWallClock(Duration.ofHours(1));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"99, false", "100, true"})
  @DisplayName("W-12 a suspension counts from a tenth of a second")
  void shortSuspension(int millis, boolean stalled) {
    Mark start = begin();
    loop.time().suspend(Duration.ofMillis(millis));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isEqualTo(stalled);
  }

  @Test
  @DisplayName("W-12 a suspension while the loop stands still counts with the stall")
  void suspendedMeanwhile() {
    Duration timeout = Duration.ofSeconds(8);
    Mark start = begin(timeout);
    loop.stall(Duration.ofMillis(700));
    loop.time().suspend(Duration.ofMillis(100));
    assertThat(watch.stalledSince(start, timeout)).as("both together").isTrue();
  }

  @ParameterizedTest
  @CsvSource({"7, false", "8, true"})
  @DisplayName("W-12 a beat that is late already counts from when a probe began meanwhile")
  void beginsDuringStall(int millis, boolean stalled) {
    Duration timeout = Duration.ofMillis(80);
    begin(timeout);
    loop.stall(Duration.ofMillis(20));
    Mark start = begin(timeout);
    loop.stall(Duration.ofMillis(millis));
    assertThat(watch.stalledSince(start, timeout)).isEqualTo(stalled);
  }

  @Test
  @DisplayName("W-12 a probe that begins after a stall hides it from none that was under way")
  void anotherBegins() {
    Mark start = begin();
    loop.stall(Duration.ofMillis(300));
    begin();
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isTrue();
  }

  @Test
  @DisplayName("W-12 of sixteen stalls or more, none from before a probe is blamed on it")
  void manyEarlierStalls() {
    begin();
    loop.stall(Duration.ofSeconds(1));
    loop.advance(Duration.ofMillis(25));
    for (int i = 0; i < 15; i++) {
      loop.stall(Duration.ofMillis(60));
      loop.advance(Duration.ofMillis(25));
    }
    Mark start = begin();
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
  }

  @Test
  @DisplayName(
      "W-12 a beat comes every 25 ms, or 5 ms beside a short timeout, and none without a probe")
  void beats() {
    Duration shortOne = Duration.ofMillis(499);
    Duration longOne = Duration.ofMillis(500);
    assertThat(loop.nextTimer()).isEmpty();
    start(longOne);
    assertThat(loop.nextTimer()).contains(Duration.ofMillis(25));
    loop.advance(Duration.ofMillis(10));
    start(longOne);
    assertThat(loop.nextTimer()).as("goes on").contains(Duration.ofMillis(15));
    start(shortOne);
    start(shortOne);
    assertThat(loop.nextTimer()).contains(Duration.ofMillis(5));
    watch.probeEnded(shortOne);
    loop.advance(Duration.ofMillis(5));
    assertThat(loop.nextTimer()).as("one is left").contains(Duration.ofMillis(5));
    watch.probeEnded(shortOne);
    loop.advance(Duration.ofMillis(5));
    assertThat(loop.nextTimer()).as("none is left").contains(Duration.ofMillis(25));
    watch.probeEnded(longOne);
    assertThat(loop.nextTimer()).contains(Duration.ofMillis(25));
    watch.probeEnded(longOne);
    assertThat(loop.nextTimer()).isEmpty();
    start(shortOne);
    assertThat(loop.nextTimer()).as("the first again").contains(Duration.ofMillis(5));
  }

  @Test
  @DisplayName("W-12 a probe that is over at once needs no beat, and keeps none of others' away")
  void overAtOnce() {
    Duration shortOne = Duration.ofMillis(499);
    watch.probeStarted(shortOne);
    watch.probeEnded(shortOne);
    watch.probeGoesOn();
    assertThat(loop.nextTimer()).isEmpty();
    Mark longOne = begin(Duration.ofSeconds(10));
    watch.probeStarted(shortOne);
    watch.probeEnded(shortOne);
    assertThat(loop.nextTimer()).as("as said when it began").contains(Duration.ofMillis(5));
    loop.advance(Duration.ofSeconds(5));
    assertThat(watch.lostSince(longOne)).isZero();
  }

  @Test
  @DisplayName("W-12 a stall within a probe that is over at once is known when it ends")
  void stallWithoutBeat() {
    Duration timeout = Duration.ofSeconds(1);
    watch.probeStarted(timeout);
    Mark start = new Mark();
    watch.set(start);
    loop.stall(Duration.ofMillis(300));
    assertThat(watch.stalledSince(start, timeout)).isTrue();
  }

  @Test
  @DisplayName("W-12 a wait before a short probe beside a long one is not blamed on it")
  void waitBeforeShort() {
    Duration timeout = Duration.ofMillis(40);
    begin();
    loop.waitedForProcessor(Duration.ofMillis(20));
    loop.advance(Duration.ofMillis(20));
    Mark start = begin(timeout);
    assertThat(watch.stalledSince(start, timeout)).isFalse();
  }

  @Test
  @DisplayName("a stall is still known after others, as long as the probe runs")
  void severalStalls() {
    Mark start = begin();
    loop.stall(Duration.ofSeconds(1));
    loop.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      loop.stall(Duration.ofMillis(100));
      loop.advance(Duration.ofMillis(100));
    }
    assertThat(watch.stalledSince(start, Duration.ofMillis(900))).isTrue();
  }

  @Test
  @DisplayName("W-12 stalls that are short each count once half of the timeout is lost in them")
  void manyShortStalls() {
    Mark start = begin();
    for (int i = 0; i < 5; i++) {
      loop.stall(Duration.ofMillis(60));
      loop.advance(Duration.ofMillis(15));
    }
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
    for (int i = 0; i < 3; i++) {
      loop.stall(Duration.ofMillis(60));
      loop.advance(Duration.ofMillis(15));
    }
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isTrue();
  }

  @Test
  @DisplayName("W-12 a probe that has little time is watched closely while another has much")
  void shortBesideLong() {
    begin(Duration.ofSeconds(10));
    loop.advance(Duration.ofMillis(5));
    Mark start = begin(Duration.ofMillis(100));
    loop.advance(Duration.ofMillis(5));
    loop.stall(Duration.ofMillis(15));
    loop.run();
    assertThat(watch.stalledSince(start, Duration.ofMillis(100))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "12, 0, 1000, false",
    "13, 0, 1000, true",
    "0, 12, 1000, false",
    "0, 13, 1000, true",
    "8, 8, 1000, false",
    "13, 13, 1000, true",
    "25, 25, 1000, true",
    "12, 0, 504, true",
    "2, 0, 250, false",
    "3, 0, 250, true"
  })
  @DisplayName("W-12 time without a processor counts though each beat came in time, and once only")
  void withoutProcessor(int wait, int throttled, int timeoutMillis, boolean stalled) {
    Duration timeout = Duration.ofMillis(timeoutMillis);
    Duration beat = Duration.ofMillis(timeoutMillis < 500 ? 5 : 25);
    Mark start = begin(timeout);
    for (Duration gone = Duration.ZERO; gone.compareTo(timeout) < 0; gone = gone.plus(beat)) {
      loop.waitedForProcessor(Duration.ofMillis(wait));
      loop.throttled(Duration.ofMillis(throttled));
      loop.advance(beat);
    }
    assertThat(watch.stalledSince(start, timeout)).isEqualTo(stalled);
  }

  @Test
  @DisplayName("W-12 a wait that made a beat late is not counted a second time")
  void waitThatMadeLate() {
    Mark start = begin();
    for (int i = 0; i < 3; i++) {
      loop.advance(Duration.ofMillis(200));
      loop.waitedForProcessor(Duration.ofMillis(90));
      loop.stall(Duration.ofMillis(90));
    }
    loop.run();
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
  }

  @Test
  @DisplayName("W-12 no count makes a stall longer than the time that went by")
  void longerThanTime() {
    begin(Duration.ofSeconds(10));
    loop.advance(Duration.ofSeconds(1));
    Mark start = begin(Duration.ofSeconds(10));
    loop.throttled(Duration.ofMinutes(5)); // of all processors together
    loop.advance(Duration.ofMillis(100));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(10))).isFalse();
  }

  @Test
  @DisplayName("W-12 waits from before a probe that is alone are not blamed on it")
  void earlierWait() {
    begin();
    watch.probeEnded(Duration.ofSeconds(1));
    loop.advance(Duration.ofSeconds(30));
    loop.waitedForProcessor(Duration.ofSeconds(30));
    Mark start = begin();
    loop.advance(Duration.ofSeconds(1));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
  }

  private Mark begin() {
    return begin(Duration.ofSeconds(1));
  }

  private Mark begin(Duration timeout) {
    start(timeout);
    Mark mark = new Mark();
    watch.set(mark);
    return mark;
  }

  /** Of a probe that is not over at once. */
  private void start(Duration timeout) {
    watch.probeStarted(timeout);
    watch.probeGoesOn();
  }
}
