package io.probelet.probe.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.probelet.probe.latency.LatencySketch.Latencies;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** AD-1: latency sketches: their error, their bounds, and that merging adds no error. */
class LatencySketchTest {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private static LatencySketch of(double... millis) {
    LatencySketch sketch = new LatencySketch();
    Arrays.stream(millis).forEach(each -> sketch.add((long) (each * NANOS)));
    return sketch;
  }

  @Test
  @DisplayName("Every quantile is exact to 5 percent from 1 ms to 65 s")
  void quantilesAreWithinTheError() {
    Random random = new Random(1);
    double[] all = random.doubles(20_000).map(each -> Math.pow(64_000, each)).toArray();
    LatencySketch sketch = of(all);
    Arrays.sort(all);
    for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
      double real = all[(int) Math.ceil(share * all.length) - 1];
      double bound = sketch.quantile(share).toNanos() / 1e6;
      assertThat(bound).as("quantile %s", share).isBetween(real * 0.99, real * 1.106);
    }
    assertThat(sketch.count()).isEqualTo(20_000);
    assertThat(sketch.bins()).hasSizeLessThanOrEqualTo(LatencySketch.MAX_BINS);
  }

  @Test
  void countsWhatIsBeyondItsRangeAtItsEnds() {
    LatencySketch sketch = of(0, 0.001, 1, 3_600_000);
    assertThat(sketch.count()).isEqualTo(4);
    assertThat(sketch.countAbove(Duration.ofSeconds(60))).isEqualTo(1);
    assertThat(sketch.quantile(0.5)).isLessThan(Duration.ofMillis(2));
    assertThat(sketch.quantile(1)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(80));
  }

  @Test
  void mergesAsIfOneHadCountedAll() {
    Random random = new Random(2);
    LatencySketch all = new LatencySketch();
    LatencySketch merged = new LatencySketch();
    for (int pod = 0; pod < 10; pod++) {
      LatencySketch one = new LatencySketch();
      for (int i = 0; i < 500; i++) {
        long nanos = (long) (Math.exp(2 + pod * 0.3 + random.nextGaussian()) * NANOS);
        one.add(nanos);
        all.add(nanos);
      }
      merged.merge(LatencySketch.of(one.bins())); // as it travels
    }
    assertThat(merged.bins()).isEqualTo(all.bins());
  }

  @Test
  void saysHowManyAreLonger() {
    LatencySketch sketch = of(10, 20, 100, 1_000);
    assertThat(sketch.countAbove(Duration.ofMillis(50))).isEqualTo(2);
    assertThat(sketch.upperBound(1)).isBetween(Duration.ofMillis(99), Duration.ofMillis(111));
    assertThat(sketch.upperBound(0)).isBetween(Duration.ofMillis(990), Duration.ofMillis(1_106));
    assertThat(new LatencySketch().upperBound(0)).isZero();
  }

  @Test
  void oldLatenciesFade() {
    LatencySketch sketch = of(10, 10, 10, 10);
    sketch.halve();
    sketch.add(1_000 * NANOS);
    assertThat(sketch.count()).isCloseTo(3, within(1e-9));
    for (int i = 0; i < 10; i++) {
      sketch.halve();
    }
    assertThat(sketch.count()).isZero();
  }

  @Test
  void refusesMoreThanASketchHas() {
    List<Latencies> many = Collections.nCopies(LatencySketch.MAX_BINS + 1, new Latencies(1, 1));
    assertThatThrownBy(() -> LatencySketch.of(many)).hasMessageContaining("at most 112 bins");
    for (double wrong : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> LatencySketch.of(List.of(new Latencies(1, wrong))))
          .hasMessageContaining("count");
      assertThatThrownBy(() -> LatencySketch.of(List.of(new Latencies(wrong, 1))))
          .hasMessageContaining("latencyMs");
    }
  }
}
