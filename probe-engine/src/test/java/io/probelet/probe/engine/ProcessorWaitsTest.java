package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** W-12: what the kernel's counts of waits add to the stalls that are known. */
class ProcessorWaitsTest {
  private static final long BEAT = millis(25);

  private final VirtualLoop loop = new VirtualLoop();
  private final ProcessorWaits waits = new ProcessorWaits(loop.processorWaits(), loop.time());

  @ParameterizedTest
  @ValueSource(longs = {0, 60_000})
  @DisplayName("W-12 waits before the first probe do not count")
  void first(long start) {
    loop.waitedForProcessor(Duration.ofMillis(50));
    pass(start);
    waits.fresh(BEAT);
    pass(100);
    assertThat(waits.unknown()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"24, 10", "25, 0", "26, 0"})
  @DisplayName("W-12 what was read within a beat is not read again for a new probe")
  void fresh(long age, long unknown) {
    pass(10_000);
    waits.fresh(BEAT);
    loop.waitedForProcessor(Duration.ofMillis(10));
    pass(age);
    waits.fresh(BEAT);
    assertThat(waits.unknown()).isEqualTo(millis(unknown));
    assertThat(waits.unknown()).as("once only").isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "30, 20, 0, 100, 30",
    "20, 30, 0, 100, 30",
    "30, 20, 10, 100, 20",
    "30, 20, 40, 100, 0",
    "300, 0, 0, 100, 100",
    "0, 300, 10, 100, 90",
  })
  @DisplayName("W-12 the largest count, at most the elapsed time, without known stalls")
  void unknown(long waited, long throttled, long known, long passed, long unknown) {
    pass(10_000);
    waits.fresh(BEAT);
    loop.waitedForProcessor(Duration.ofMillis(waited));
    loop.throttled(Duration.ofMillis(throttled));
    waits.known(millis(known));
    pass(passed);
    assertThat(waits.unknown()).isEqualTo(millis(unknown));
  }

  @Test
  @DisplayName("W-12 several stalls that are known add up")
  void severalKnown() {
    waits.fresh(BEAT);
    loop.waitedForProcessor(Duration.ofMillis(100));
    waits.known(millis(30));
    waits.known(millis(50));
    pass(200);
    assertThat(waits.unknown()).isEqualTo(millis(20));
  }

  @Test
  @DisplayName("W-12 a kernel that counts nothing shows no waits")
  void noCounts() {
    ProcessorWaits none = new ProcessorWaits(List.of(), loop.time());
    none.fresh(BEAT);
    pass(100);
    assertThat(none.unknown()).isZero();
  }

  private void pass(long milliseconds) {
    loop.advance(Duration.ofMillis(milliseconds));
  }

  private static long millis(long milliseconds) {
    return Duration.ofMillis(milliseconds).toNanos();
  }
}
