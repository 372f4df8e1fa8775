package io.probelet.probe.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.ManualClock;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.engine.Fixtures;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.VirtualLoop;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** D-7: what a runtime that knows no hooks is asked for, in which order. */
class PreStopStopperTest {
  private static final PreStopHook DRAIN = new PreStopHook.Exec(List.of("drain"));

  private final ManualClock clock = new ManualClock(VirtualLoop.START);
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> asked = new ArrayList<>();
  private final FakeRuntime runtime = new FakeRuntime();
  private final PreStopStopper stopper =
      new PreStopStopper(
          runtime,
          new HookRunner(
              new PeakConcurrency(),
              blocking,
              (_, _, _, _) -> {
                throw new AssertionError("no hook here sends requests");
              },
              HookLimits.NONE),
          clock,
          (decision, why) -> asked.add(decision.subject().container() + " hook: " + why));

  @AfterEach
  void close() {
    blocking.shutdownNow();
  }

  private static RestartDecision decision(@Nullable PreStopHook hook, Duration grace) {
    ContainerSpec spec =
        new ContainerSpec(
            "web", ContainerRole.REGULAR, null, List.of(), Map.of(), Map.of(), Map.of(), hook);
    return new RestartDecision(
        new ProbeSubject(Fixtures.POD, "web", ProbeKind.LIVENESS),
        new ProbeTarget(Fixtures.POD, spec, "id-1", "10.0.0.1"),
        grace,
        new ProbeEvent("Normal", "Killing", "Container web failed liveness probe"),
        "no");
  }

  private void stop(@Nullable PreStopHook hook, int graceSeconds) throws Exception {
    stopper.stop(decision(hook, Duration.ofSeconds(graceSeconds)));
  }

  @Test
  @DisplayName("D-7 without a hook the container has its grace period, of two seconds at least")
  void none() throws Exception {
    stop(null, 30);
    stop(null, 1);
    stop(null, 0);
    assertThat(asked).containsExactly("stop PT30S", "stop PT2S", "stop PT2S");
  }

  @ParameterizedTest
  @CsvSource({"0,PT30S", "12,PT18S", "28,PT2S", "29,PT2S", "30,PT2S", "45,PT2S"})
  @DisplayName("D-7 the hook runs first, and its time is taken from the grace period")
  void first(int took, String left) throws Exception {
    runtime.took = Duration.ofSeconds(took);
    stop(DRAIN, 30);
    assertThat(asked).containsExactly("runs", "hook [drain] PT30S", "stop " + left);
  }

  @Test
  @DisplayName("D-7 a failed hook is reported, and the stop continues")
  void fails() throws Exception {
    runtime.exitCode = 1;
    stop(DRAIN, 30);
    assertThat(asked)
        .containsExactly(
            "runs", "hook [drain] PT30S", "web hook: command exited with code 1", "stop PT30S");
  }

  @Test
  @DisplayName("D-7 there is no hook for a container that has ended, or that has no time")
  void ended() throws Exception {
    runtime.runs = false;
    stop(DRAIN, 30);
    runtime.runs = true;
    stop(DRAIN, 0);
    assertThat(asked).containsExactly("runs", "stop PT30S", "stop PT2S");
  }

  @Test
  @DisplayName("D-7 a stop that is tried again has what is left, and no second hook")
  void again() throws Exception {
    runtime.took = Duration.ofSeconds(10);
    runtime.broken = true;
    assertThatThrownBy(() -> stop(DRAIN, 30)).isInstanceOf(ContainerRuntimeException.class);
    clock.advance(Duration.ofSeconds(5));
    runtime.broken = false;
    stop(DRAIN, 30);
    assertThat(asked).containsExactly("runs", "hook [drain] PT30S", "stop PT20S", "stop PT15S");
    asked.clear();
    runtime.took = Duration.ZERO;
    stop(DRAIN, 30);
    assertThat(asked).as("once it has been stopped, nothing is remembered").hasSize(3);
  }

  private final class FakeRuntime implements ContainerRuntime {
    Duration took = Duration.ZERO;
    int exitCode;
    boolean runs = true;
    boolean broken;

    @Override
    public void watch(RuntimeListener listener) {}

    @Override
    public boolean runs(String containerId) {
      asked.add("runs");
      return runs;
    }

    @Override
    public ExecResult exec(
        PodRef pod, String id, List<String> command, Duration timeout, int outputLimit) {
      throw new AssertionError("that is for probes");
    }

    @Override
    public ExecResult hook(String id, List<String> command, Duration within) {
      asked.add("hook " + command + " " + within);
      clock.advance(took);
      return new ExecResult.Exited(exitCode, "");
    }

    @Override
    public void stop(String containerId, Duration grace) throws ContainerRuntimeException {
      asked.add("stop " + grace);
      if (broken) {
        throw new ContainerRuntimeException("gone");
      }
    }

    @Override
    public void close() {}
  }

  /** Runs everything at once; its timers never strike. */
  private final class PeakConcurrency implements ProbeLoop {
    @Override
    public synchronized void execute(Runnable task) {
      task.run();
    }

    @Override
    public Timer at(long dueNanos, Runnable task) {
      return () -> {};
    }

    @Override
    public ManualClock time() {
      return clock;
    }
  }
}
