package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.log;
import static io.probelet.monitor.MonitorFiles.permanent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.monitor.log.LineFormat;
import io.probelet.monitor.node.LogWatch.LineAge;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.source.LineSource;
import io.probelet.monitor.track.Evidence;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class LogWatchTest {
  private final List<Evidence> evidence = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Thread reader = Thread.currentThread();

  /** What a source does when it is run. */
  private interface Run {
    void with(LineSource.Sink sink) throws IOException, InterruptedException;
  }

  private final SourceStats stats = new SourceStats("kernel");

  private LogWatch watch(Run run) {
    return watch(run, new LineAge(Instant.EPOCH, Duration.ZERO, SystemClock.INSTANCE));
  }

  private LogWatch watch(Run run, LineAge age) {
    Monitor.Log monitor = log(permanent("Oops", "oops.*"));
    LineSource source =
        new LineSource() {
          @Override
          public void run(Sink sink) throws IOException, InterruptedException {
            reader = Thread.currentThread();
            run.with(sink);
          }

          @Override
          public String position() {
            return "";
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };
    return new LogWatch(
        monitor,
        NamedRule.of("kernel", monitor),
        source,
        LineFormat.PLAIN,
        age,
        OomVictims.NONE,
        (_, one) -> evidence.add(one),
        _ -> {},
        stats);
  }

  @Test
  @DisplayName(
      "B-5, B-7 an internal error while reading is reported as Lost, and reading is " + "retried")
  void mistake() {
    AtomicInteger runs = new AtomicInteger();
    LogWatch watch =
        watch(sink -> {
          if (runs.incrementAndGet() == 1) {
            throw new IllegalStateException("a line nobody expected");
          }
          sink.upToDate();
          closed.await();
        });
    watch.start(SystemClock.INSTANCE);
    await().until(() -> evidence.contains(new Evidence.Watching()));
    assertThat(evidence.getFirst()).isInstanceOf(Evidence.Lost.class);
    watch.close();
  }

  @Test
  @DisplayName("A-3 lines too old at the start are counted only; live lines count")
  void old() {
    ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));
    Instant lookback = clock.wallTime().minusSeconds(300);
    LogWatch watch =
        watch(
            sink -> {
              sink.line("oops 1", lookback.minusNanos(1));
              sink.line("oops 2", lookback);
              sink.upToDate();
              sink.line("oops 3", Instant.EPOCH);
              closed.await();
            },
            new LineAge(lookback, Duration.ZERO, clock));
    watch.start(clock);
    await().until(() -> evidence.size() == 3);
    watch.close();
    assertThat(evidence)
        .containsExactly(
            new Evidence.Matched("oops 2", null, ""),
            new Evidence.Watching(),
            new Evidence.Matched("oops 3", null, ""));
    assertThat(watch.stats().getFirst().tooOld()).isEqualTo(1);
  }

  @Test
  @DisplayName("B-12 a source that fails because it was closed reports no loss")
  void closedWhileReading() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    LogWatch watch =
        watch(_ -> {
          reading.countDown();
          closed.await();
          throw new IOException("Stream closed");
        });
    watch.start(SystemClock.INSTANCE);
    reading.await();
    watch.close();
    assertThat(reader.join(Duration.ofMinutes(1))).isTrue();
    assertThat(evidence).isEmpty();
  }
}
