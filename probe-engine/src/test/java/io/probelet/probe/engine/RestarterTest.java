package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** D-1: a stop is carried out once, and again until it works. */
class RestarterTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final VirtualLoop loop = new VirtualLoop();
  private final FakeRuntime runtime = new FakeRuntime();
  private final HandExecutor blocking = new HandExecutor();
  private final List<Duration> retries = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final Restarter restarter =
      new Restarter(
          loop,
          blocking,
          decision -> runtime.stop(decision.containerId(), decision.grace()),
          new ProbeListener() {
            @Override
            public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
              retries.add(retryAfter);
              reasons.add(why);
            }
          });

  @Test
  @DisplayName("a decision stops the container with its grace, once however often it comes")
  void stopsOnce() {
    decide("id-1");
    decide("id-1");
    blocking.runAll();
    loop.advance(Duration.ofHours(1));
    assertThat(runtime.stopped).containsExactly("id-1 PT30S");
    assertThat(retries).isEmpty();
  }

  @Test
  @DisplayName("a failed stop is reported and retried after 1 s, 2 s, 4 s … 30 s")
  void retries() {
    runtime.failing = true;
    decide("id-1");
    for (int i = 0; i < 7; i++) {
      blocking.runAll();
      loop.run();
      loop.advance(retries.getLast());
    }
    assertThat(retries.stream().map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
    assertThat(reasons).containsOnly("runtime is away");

    runtime.failing = false;
    runtime.stopped.clear();
    blocking.runAll();
    loop.advance(Duration.ofHours(1));
    assertThat(runtime.stopped).hasSize(1);
    assertThat(blocking.tasks).isEmpty();
  }

  @Test
  @DisplayName("a stop that hangs is given up on after grace and patience, and tried again")
  void hanging() {
    decide("id-1");
    loop.advance(GRACE.plus(Restarter.STOP_GRACE).minusMillis(1));
    assertThat(reasons).isEmpty();
    loop.advance(Duration.ofMillis(1));
    assertThat(reasons).containsExactly("the runtime did not respond in time");
    blocking.tasks.clear();
    loop.advance(Restarter.BACKOFF.initial());
    blocking.runAll();
    assertThat(runtime.stopped).containsExactly("id-1 PT30S");
  }

  @Test
  @DisplayName("one container's trouble does not hold up another")
  void independent() {
    decide("id-1");
    decide("id-2");
    blocking.tasks.removeFirst();
    blocking.runAll();
    assertThat(runtime.stopped).containsExactly("id-2 PT30S");
  }

  private void decide(String containerId) {
    restarter.restartDecided(
        new RestartDecision(
            new ProbeSubject(Fixtures.POD, Fixtures.CONTAINER, ProbeKind.LIVENESS),
            new ProbeTarget(Fixtures.POD, Fixtures.container(Map.of()), containerId, ""),
            GRACE,
            new ProbeEvent("Normal", "Killing", "Container nginx failed liveness probe"),
            "no"));
    loop.run();
  }

  /** Runs blocking calls when the test says so. */
  private static final class HandExecutor extends AbstractExecutorService {
    final List<Runnable> tasks = new ArrayList<>();

    void runAll() {
      List<Runnable> now = List.copyOf(tasks);
      tasks.clear();
      now.forEach(Runnable::run);
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  private static final class FakeRuntime implements ContainerRuntime {
    final List<String> stopped = new ArrayList<>();
    boolean failing;

    @Override
    public void watch(RuntimeListener listener) {}

    @Override
    public ExecResult exec(
        PodRef pod, String id, List<String> command, Duration timeout, int outputLimit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ExecResult hook(String id, List<String> command, Duration within) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void stop(String containerId, Duration grace) throws ContainerRuntimeException {
      if (failing) {
        throw new ContainerRuntimeException("runtime is away");
      }
      stopped.add(containerId + " " + grace);
    }

    @Override
    public void close() {}
  }
}
