package io.probelet.probe.exec;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.engine.Fixtures;
import io.probelet.probe.engine.VirtualLoop;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** H-9: what the end of a command means. */
class ExecProberTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final VirtualLoop loop = new VirtualLoop();
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final List<ProbeOutcome> outcomes = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    blocking.shutdownNow();
  }

  /** What a runtime does with a command. */
  interface Behaviour {
    ExecResult exec(List<String> command, int outputLimit)
        throws ContainerRuntimeException, InterruptedException;
  }

  static Stream<Arguments> ends() {
    return Stream.of(
        Arguments.of(exits(0, "ok"), new Success("ok")),
        Arguments.of(exits(0, ""), new Success("")),
        Arguments.of(exits(1, "no database"), new Failure("no database")),
        Arguments.of(exits(137, " \n"), new Failure("command exited with code 137")),
        Arguments.of(
            (Behaviour) (_, _) -> new ExecResult.TimedOut(),
            new Failure("command timed out: \"check\" timed out after 1s")),
        Arguments.of(
            (Behaviour) (_, _) -> new ExecResult.Displaced(Duration.ofMillis(700)),
            new ProberError(
                Verdict.Reason.NODE_BUDGET,
                "command killed after 700ms of 1s, because other pods waited for its" + " slot")),
        Arguments.of(
            (Behaviour)
                (_, _) -> {
                  throw new ContainerRuntimeException("no such container");
                },
            new ProberError(Verdict.Reason.RUNTIME, "no such container")),
        Arguments.of(
            (Behaviour)
                (_, _) -> {
                  throw new IllegalStateException("bug");
                },
            new ProberError(
                Verdict.Reason.INTERNAL, "exec failed: java.lang.IllegalStateException: bug")));
  }

  @ParameterizedTest
  @MethodSource("ends")
  @DisplayName("H-9, W-22, C-28 exit code, timeout, lost slot and error have different verdicts")
  void verdicts(Behaviour behaviour, Verdict expected) {
    probe(behaviour, List.of("check"));
    awaitOutcome();
    assertThat(outcomes).extracting(ProbeOutcome::verdict).containsExactly(expected);
  }

  @Test
  @DisplayName("H-9 $(VAR) expands from the container's environment, $$(VAR) stays literal")
  void expands() {
    List<String> ran = new CopyOnWriteArrayList<>();
    probe(
        (command, _) -> {
          ran.addAll(command);
          return new ExecResult.Exited(0, "");
        },
        List.of("check", "$(TARGET)", "$$(TARGET)", "$(OTHER)"));
    awaitOutcome();
    assertThat(ran).containsExactly("check", "db:5432", "$(TARGET)", "$(OTHER)");
  }

  @Test
  @DisplayName(
      "H-9 a timeout names the command as written, on one line and cut, no variable's value")
  void timeoutNames() {
    probe((_, _) -> new ExecResult.TimedOut(), List.of("sh", "-c", "say \"$(TARGET)\"\n\\"));
    probe((_, _) -> new ExecResult.TimedOut(), List.of("x".repeat(255) + "😀" + "y".repeat(1000)));
    awaitOutcome();
    assertThat(outcomes)
        .extracting(each -> each.verdict().text())
        .containsExactlyInAnyOrder(
            "command timed out: \"sh -c say \\\"$(TARGET)\\\" \\\\\" timed out after 1s",
            "command timed out: \"%s…\" timed out after 1s".formatted("x".repeat(255)));
  }

  @Test
  @DisplayName("a command that variables make too large is not run, and decides nothing")
  void tooLarge() {
    probe(
        (_, _) -> {
          throw new IllegalStateException("asked");
        },
        List.of("check", "$(TARGET)".repeat(20_000)));
    assertThat(outcomes)
        .extracting(ProbeOutcome::verdict)
        .containsExactly(
            new ProberError(
                Verdict.Reason.BAD_TARGET,
                "with its variables expanded, one text has more than 131072 characters"));
  }

  @Test
  @DisplayName("C-27 the runtime is asked to keep 10 KiB of output")
  void limit() {
    probe((_, limit) -> new ExecResult.Exited(0, "limit " + limit), List.of("check"));
    awaitOutcome();
    assertThat(outcomes.getFirst().verdict()).isEqualTo(new Success("limit 10240"));
  }

  @Test
  @DisplayName("a hanging runtime is a prober error, and its late answer is dropped")
  void hangs() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    probe(
        (_, _) -> {
          asked.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException givenUp) {
            interrupted.countDown();
          }
          return new ExecResult.Exited(0, "late");
        },
        List.of("check"));
    asked.await();
    loop.advance(TIMEOUT.plus(ExecProber.RUNTIME_GRACE));
    interrupted.await();
    await().untilAsserted(() -> assertThat(outcomes).hasSize(1));
    assertThat(outcomes.getFirst().verdict())
        .isEqualTo(
            new ProberError(
                Verdict.Reason.RUNTIME,
                "the command, including its wait for a slot, had no result within 11s"));
    blocking.close();
    loop.run();
    assertThat(outcomes).hasSize(1);
  }

  private static Behaviour exits(int code, String output) {
    return (_, _) -> new ExecResult.Exited(code, output);
  }

  private void probe(Behaviour behaviour, List<String> command) {
    ContainerSpec container =
        new ContainerSpec(
            "web", false, null, List.of(), Map.of(), Map.of("TARGET", "db:5432"), Map.of());
    new ExecProber(loop, blocking, new OneCommand(behaviour))
        .probe(
            new Exec(command),
            new ProbeTarget(Fixtures.POD, container, "id-1", ""),
            TIMEOUT,
            outcomes::add);
  }

  /** The loop's queue is not for two threads, so the command is let end first. */
  private void awaitOutcome() {
    blocking.close();
    loop.run();
  }

  private record OneCommand(Behaviour behaviour) implements ContainerRuntime {
    @Override
    public void watch(RuntimeListener listener) {}

    @Override
    public ExecResult exec(
        PodRef pod, String id, List<String> command, Duration timeout, int outputLimit)
        throws ContainerRuntimeException, InterruptedException {
      return behaviour.exec(command, outputLimit);
    }

    @Override
    public ExecResult hook(String id, List<String> command, Duration within) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void stop(String id, Duration grace) {}

    @Override
    public void close() {}
  }
}
