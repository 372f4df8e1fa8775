package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A restart waits neither for a runtime that hangs nor for one that fails. */
@Timeout(60)
class RuntimeEvidenceTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final ContainerEvidence SEEN =
      new ContainerEvidence(null, 7L, null, null, null, null);

  private final AtomicInteger reading = new AtomicInteger();
  private final CountDownLatch answer = new CountDownLatch(1);

  private static ContainerEvidence get(CompletableFuture<ContainerEvidence> read) throws Exception {
    return read.get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("reads at once, and after a while")
  void reads() throws Exception {
    RuntimeEvidence reader =
        new RuntimeEvidence(new ReadRuntime(_ -> SEEN), SystemClock.INSTANCE, LONG);
    assertThat(get(reader.read("a", Duration.ZERO))).isEqualTo(SEEN);
    assertThat(get(reader.read("a", Duration.ofMillis(1)))).isEqualTo(SEEN);
  }

  @Test
  @DisplayName("a runtime that fails, expectedly or not, has no evidence")
  void fails() throws Exception {
    RuntimeEvidence reader =
        new RuntimeEvidence(
            new ReadRuntime(id -> {
              if (id.equals("bug")) {
                throw new IllegalStateException("bug");
              }
              throw new ContainerRuntimeException("away");
            }),
            SystemClock.INSTANCE,
            LONG);
    assertThat(get(reader.read("a", Duration.ZERO))).isEqualTo(ContainerEvidence.NONE);
    assertThat(get(reader.read("bug", Duration.ZERO))).isEqualTo(ContainerEvidence.NONE);
  }

  @Test
  @DisplayName("a runtime that hangs has no evidence after the deadline")
  void hangs() throws Exception {
    RuntimeEvidence reader =
        new RuntimeEvidence(
            new ReadRuntime(this::hang), SystemClock.INSTANCE, Duration.ofMillis(50));
    assertThat(get(reader.read("a", Duration.ZERO))).isEqualTo(ContainerEvidence.NONE);
    answer.countDown();
  }

  @Test
  @DisplayName("few containers are read at once, however many fail together")
  void fewAtOnce() throws Exception {
    RuntimeEvidence reader =
        new RuntimeEvidence(new ReadRuntime(this::hang), SystemClock.INSTANCE, LONG);
    List<CompletableFuture<ContainerEvidence>> all =
        IntStream.range(0, 100)
            .mapToObj(id -> reader.read(Integer.toString(id), Duration.ZERO))
            .toList();
    await().until(() -> reading.get() == RuntimeEvidence.AT_ONCE);
    assertThat(all).noneMatch(CompletableFuture::isDone);
    answer.countDown();
    for (CompletableFuture<ContainerEvidence> each : all) {
      assertThat(get(each)).isEqualTo(SEEN);
    }
  }

  @Test
  @DisplayName("those who ask at the same moment share a reading, later ones do not")
  void shared() throws Exception {
    ManualClock clock = new ManualClock(Instant.EPOCH);
    RuntimeEvidence reader =
        new RuntimeEvidence(
            new ReadRuntime(_ -> {
              reading.incrementAndGet();
              return SEEN;
            }),
            clock,
            LONG);
    CompletableFuture<ContainerEvidence> one = reader.read("a", Duration.ZERO);
    assertThat(get(reader.read("a", Duration.ZERO))).isEqualTo(SEEN);
    assertThat(get(one)).isEqualTo(SEEN);
    assertThat(reading).hasValue(1);
    get(reader.read("b", Duration.ZERO));
    assertThat(reading).as("another container").hasValue(2);
    clock.advance(Duration.ofMillis(100));
    get(reader.read("a", Duration.ZERO));
    assertThat(reading).as("another moment").hasValue(3);
  }

  private ContainerEvidence hang(String id) throws InterruptedException {
    assertThat(reading.incrementAndGet()).isLessThanOrEqualTo(RuntimeEvidence.AT_ONCE);
    answer.await();
    reading.decrementAndGet();
    return SEEN;
  }

  /** What the kernel says, as a test has it. */
  private interface Kernel {
    ContainerEvidence of(String id) throws ContainerRuntimeException, InterruptedException;
  }

  private record ReadRuntime(Kernel kernel) implements ContainerRuntime {
    @Override
    public ContainerEvidence evidence(String containerId)
        throws ContainerRuntimeException, InterruptedException {
      return kernel.of(containerId);
    }

    @Override
    public void watch(RuntimeListener listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ExecResult exec(
        PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ExecResult hook(String containerId, List<String> command, Duration within) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void stop(String containerId, Duration grace) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }
  }
}
