package io.probelet.probe.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.Fixtures;
import io.probelet.probe.engine.VirtualLoop;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** D-7: how hooks are carried out, and that none takes longer than it may. */
class HookRunnerTest {
  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final HookCommand NO_COMMAND =
      (_, _, _) -> {
        throw new AssertionError("a command was run");
      };

  private final VirtualLoop loop = new VirtualLoop();
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final List<HttpGet> requests = new ArrayList<>();
  private Consumer<Consumer<ProbeOutcome>> server = _ -> {};
  private final HookRunner hooks =
      new HookRunner(
          loop,
          blocking,
          (request, _, _, done) -> {
            requests.add(request);
            server.accept(done);
          },
          new HookLimits(2, 3));

  @AfterEach
  void close() {
    blocking.shutdownNow();
  }

  private static ProbeTarget target(PodRef pod) {
    return new ProbeTarget(pod, Fixtures.container(Map.of()), "id-1", "10.0.0.1");
  }

  private CompletableFuture<HookEnd> run(PreStopHook hook, HookCommand command) {
    CompletableFuture<HookEnd> end = hooks.run(hook, target(Fixtures.POD), WITHIN, command);
    loop.run();
    return end;
  }

  @Test
  @DisplayName("D-7 a sleep takes as long as it says, up to the whole grace period")
  void sleep() {
    CompletableFuture<HookEnd> five = run(new PreStopHook.Sleep(Duration.ofSeconds(5)), NO_COMMAND);
    CompletableFuture<HookEnd> whole = run(new PreStopHook.Sleep(WITHIN), NO_COMMAND);
    loop.advance(Duration.ofMillis(4_999));
    assertThat(five).isNotDone();
    loop.advance(Duration.ofMillis(1));
    assertThat(five).isCompletedWithValue(new HookEnd.Done());
    loop.advance(Duration.ofMillis(24_999));
    assertThat(whole).isNotDone();
    loop.advance(Duration.ofMillis(1));
    assertThat(whole).isCompletedWithValue(new HookEnd.Done());
    assertThat(run(new PreStopHook.Sleep(Duration.ZERO), NO_COMMAND))
        .isCompletedWithValue(new HookEnd.Done());
  }

  @Test
  @DisplayName("D-7 a sleep longer than a probe's own grace period ends with that")
  void longSleep() {
    CompletableFuture<HookEnd> end = run(new PreStopHook.Sleep(Duration.ofMinutes(1)), NO_COMMAND);
    loop.advance(WITHIN);
    assertThat(end).isCompletedWithValue(new HookEnd.OutOfTime());
  }

  static Stream<Arguments> commands() {
    return Stream.of(
        Arguments.of(exits(0), new HookEnd.Done()),
        Arguments.of(exits(3), new HookEnd.Failed("command exited with code 3")),
        Arguments.of((HookCommand) (_, _, _) -> new ExecResult.TimedOut(), new HookEnd.OutOfTime()),
        Arguments.of(
            (HookCommand)
                (_, _, _) -> {
                  throw new ContainerRuntimeException("no such file");
                },
            new HookEnd.Failed("no such file")),
        Arguments.of(
            (HookCommand)
                (_, _, _) -> {
                  throw new IllegalStateException("bug");
                },
            new HookEnd.Failed("hook failed: java.lang.IllegalStateException: bug")));
  }

  private static HookCommand exits(int code) {
    return (id, command, within) -> {
      assertThat(List.of(id, command, within))
          .isEqualTo(List.of("id-1", List.of("drain", "$(HOME)"), WITHIN));
      return new ExecResult.Exited(code, "secret");
    };
  }

  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("D-7 a command is passed unchanged; its output is not reported")
  void exec(HookCommand command, HookEnd expected) {
    CompletableFuture<HookEnd> end =
        run(new PreStopHook.Exec(List.of("drain", "$(HOME)")), command);
    await().until(end::isDone);
    assertThat(end).isCompletedWithValue(expected);
    assertThat(expected.problem()).doesNotContain("secret");
  }

  @Test
  @DisplayName("D-7 a command of which the runtime says nothing is given up on in time")
  void runtimeHangs() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CompletableFuture<HookEnd> end =
        run(
            new PreStopHook.Exec(List.of("drain")),
            (_, _, _) -> {
              asked.countDown();
              try {
                new CountDownLatch(1).await();
              } finally {
                interrupted.countDown();
              }
              return new ExecResult.TimedOut();
            });
    asked.await();
    loop.advance(WITHIN);
    assertThat(end).isCompletedWithValue(new HookEnd.OutOfTime());
    interrupted.await();
  }

  @Test
  @DisplayName("D-7 any response to a request is a success")
  void request() {
    server = done -> done.accept(outcome(new Verdict.Success("")));
    assertThat(run(requestTo("/stop"), NO_COMMAND)).isCompletedWithValue(new HookEnd.Done());
    assertThat(requests.getFirst().path()).isEqualTo("/stop");
    assertThat(requests.getFirst().expectation()).isEqualTo(HttpExpectation.ANY_ANSWER);
  }

  @Test
  @DisplayName("D-7 an unanswered request fails with the error or a timeout")
  void noAnswer() {
    server = done -> done.accept(outcome(new Verdict.Failure("connection refused")));
    assertThat(run(requestTo("/"), NO_COMMAND))
        .isCompletedWithValue(new HookEnd.Failed("connection refused"));
    server =
        _ -> {
          throw new IllegalStateException("bug");
        };
    assertThat(run(requestTo("/"), NO_COMMAND))
        .isCompletedWithValue(
            new HookEnd.Failed("hook failed: java.lang.IllegalStateException: bug"));
    server = _ -> {};
    CompletableFuture<HookEnd> hangs = run(requestTo("/"), NO_COMMAND);
    loop.advance(WITHIN);
    assertThat(hangs).isCompletedWithValue(new HookEnd.OutOfTime());
  }

  @Test
  @DisplayName("D-7 a hook that is not carried out says why")
  void refused() {
    assertThat(run(new PreStopHook.Refused("its host is not allowed"), NO_COMMAND))
        .isCompletedWithValue(new HookEnd.Failed("its host is not allowed"));
  }

  @Test
  @DisplayName("D-7: the number of running hooks is limited per pod and per node")
  void limits() {
    PreStopHook sleep = new PreStopHook.Sleep(Duration.ofSeconds(10));
    run(sleep, NO_COMMAND);
    run(sleep, NO_COMMAND);
    assertThat(run(sleep, NO_COMMAND))
        .isCompletedWithValue(new HookEnd.Failed("the pod already runs 2 hooks, the maximum"));
    PodRef other = new PodRef("default", "other", "uid-2");
    CompletableFuture<HookEnd> third = hooks.run(sleep, target(other), WITHIN, NO_COMMAND);
    CompletableFuture<HookEnd> fourth = hooks.run(sleep, target(other), WITHIN, NO_COMMAND);
    loop.run();
    assertThat(third).isNotDone();
    assertThat(fourth)
        .isCompletedWithValue(new HookEnd.Failed("the node already runs 3 hooks, the maximum"));
    loop.advance(Duration.ofSeconds(10));
    CompletableFuture<HookEnd> again = run(sleep, NO_COMMAND);
    loop.advance(Duration.ofSeconds(10));
    assertThat(again).isCompletedWithValue(new HookEnd.Done());
  }

  private static PreStopHook requestTo(String path) {
    return new PreStopHook.Request(new HttpGet(new Port.Numeric(80), path));
  }

  private static ProbeOutcome outcome(Verdict verdict) {
    return new ProbeOutcome(verdict, ProbeTimings.of(1));
  }
}
