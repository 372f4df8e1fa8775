package io.probelet.probe.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.health.Threads;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.engine.Fixtures;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** D-24: what runs in a container before it is stopped, and that nothing keeps it from that. */
@Timeout(60)
class PreKillStopperTest {
  private static final List<String> DUMP = List.of("jcmd", "$(PID)", "Thread.print");

  private final Queue<String> happened = new ConcurrentLinkedQueue<>();
  private final FakeRuntime runtime = new FakeRuntime();
  private final PreKillStopper stopper = stopper(Duration.ofSeconds(2));

  private PreKillStopper stopper(Duration leeway) {
    return new PreKillStopper(
        decision -> runtime.stop(decision.containerId(), decision.grace()),
        runtime,
        (_, report) -> happened.add(report.result() + ": " + report.output()),
        Threads.MACHINE,
        leeway);
  }

  private static RestartDecision decision(List<String> preKill) {
    return decision("id-1", preKill, false);
  }

  private static RestartDecision decision(String id, List<String> preKill, boolean pod) {
    ProbeSpec probe =
        ProbeSpec.of(new Exec(List.of("true"))).preKill(preKill).restartsPod(pod).build();
    ContainerSpec spec =
        new ContainerSpec(
            "web",
            ContainerRole.REGULAR,
            null,
            List.of(),
            Map.of(),
            Map.of("PID", "1"),
            Map.of(ProbeKind.LIVENESS, probe),
            null);
    return new RestartDecision(
        new ProbeSubject(Fixtures.POD, "web", ProbeKind.LIVENESS),
        new ProbeTarget(Fixtures.POD, spec, id, "10.0.0.1"),
        Duration.ofSeconds(30),
        new ProbeEvent("Normal", "Killing", "Container web failed liveness probe"),
        "no");
  }

  @Test
  @DisplayName("D-24 runs the command in the container, keeps its output, then stops it")
  void dump() throws Exception {
    stopper.stop(decision(DUMP));
    assertThat(happened)
        .containsExactly(
            "exec [jcmd, 1, Thread.print] PT10S 16384", "exit code 0: threads", "stop PT30S");
  }

  @Test
  @DisplayName("D-24 without a command nothing is asked before the stop")
  void none() throws Exception {
    stopper.stop(decision(List.of()));
    assertThat(happened).containsExactly("stop PT30S");
  }

  @Test
  @DisplayName("D-24 a container that has ended is not entered")
  void ended() throws Exception {
    runtime.runs = false;
    stopper.stop(decision(DUMP));
    assertThat(happened).containsExactly("not run: the container has ended: ", "stop PT30S");
  }

  @Test
  @DisplayName("D-24 a command that fails, expectedly or not, or is late does not prevent the stop")
  void failures() throws Exception {
    runtime.answer =
        () -> {
          throw new ContainerRuntimeException("away");
        };
    stopper.stop(decision(DUMP));
    runtime.answer =
        () -> {
          throw new IllegalStateException("bug");
        };
    stopper.stop(decision(DUMP));
    runtime.answer = () -> new ExecResult.TimedOut("thread 1");
    stopper.stop(decision(DUMP));
    runtime.answer = () -> new ExecResult.Displaced(Duration.ofSeconds(1));
    stopper.stop(decision(DUMP));
    assertThat(happened)
        .filteredOn(each -> !each.startsWith("exec "))
        .containsExactly(
            "failed: away: ",
            "stop PT30S",
            "failed: java.lang.IllegalStateException: bug: ",
            "stop PT30S",
            "timed out after 10s: thread 1",
            "stop PT30S",
            "killed, because other pods waited for its slot: ",
            "stop PT30S");
  }

  @Test
  @DisplayName("D-24 a runtime that hangs delays the stop by a limited time")
  void hangs() throws Exception {
    CountDownLatch given = new CountDownLatch(1);
    runtime.answer =
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException givenUp) {
            given.countDown();
            throw givenUp;
          }
          return new ExecResult.TimedOut();
        };
    stopper(PreKillStopper.LONGEST.negated().plusMillis(50)).stop(decision(DUMP));
    assertThat(happened).endsWith("timed out after 10s: ", "stop PT30S");
    given.await();
  }

  @Test
  @DisplayName("D-24 a restart of the pod waits for the command in another of its containers")
  void otherContainer() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    runtime.answer =
        () -> {
          running.countDown();
          ends.await();
          return new ExecResult.Exited(0, "threads");
        };
    Thread other = Thread.ofPlatform().start(() -> stop(decision("id-2", DUMP, false)));
    running.await();
    Thread pod = Thread.ofPlatform().start(() -> stop(decision("id-1", List.of(), true)));
    await()
        .until(
            () -> Set.of(Thread.State.WAITING, Thread.State.TERMINATED).contains(pod.getState()));
    assertThat(happened).noneMatch(each -> each.startsWith("stop"));
    ends.countDown();
    other.join();
    pod.join();
    assertThat(happened).contains("exit code 0: threads").endsWith("stop PT30S");
  }

  private void stop(RestartDecision decision) {
    try {
      stopper.stop(decision);
    } catch (ContainerRuntimeException | InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  @Test
  @DisplayName("D-24 a stop that is tried again runs no second command")
  void again() throws Exception {
    runtime.broken = true;
    assertThatThrownBy(() -> stopper.stop(decision(DUMP)))
        .isInstanceOf(ContainerRuntimeException.class);
    happened.clear();
    runtime.broken = false;
    stopper.stop(decision(DUMP));
    assertThat(happened).containsExactly("stop PT30S");
    happened.clear();
    stopper.stop(decision(DUMP));
    assertThat(happened).as("once it is stopped, nothing is remembered").hasSize(3);
  }

  /** How a command ends. */
  private interface Answer {
    ExecResult get() throws ContainerRuntimeException, InterruptedException;
  }

  private final class FakeRuntime implements ContainerRuntime {
    volatile boolean runs = true;
    volatile boolean broken;
    volatile Answer answer = () -> new ExecResult.Exited(0, "threads");

    @Override
    public void watch(RuntimeListener listener) {}

    @Override
    public boolean runs(String containerId) {
      return runs;
    }

    @Override
    public ExecResult exec(
        PodRef pod, String id, List<String> command, Duration timeout, int outputLimit)
        throws ContainerRuntimeException, InterruptedException {
      happened.add("exec " + command + " " + timeout + " " + outputLimit);
      return answer.get();
    }

    @Override
    public ExecResult hook(String id, List<String> command, Duration within) {
      throw new AssertionError("that is for preStop");
    }

    @Override
    public void stop(String containerId, Duration grace) throws ContainerRuntimeException {
      happened.add("stop " + grace);
      if (broken) {
        throw new ContainerRuntimeException("gone");
      }
    }

    @Override
    public void close() {}
  }
}
