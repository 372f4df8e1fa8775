package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.probe.runtime.ExecResult.TimedOut;
import io.probelet.runtime.cri.FakeCri.Answer;
import io.probelet.runtime.cri.FakeCri.Call;
import io.probelet.runtime.cri.v1.ExecSyncResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** H-9: who counts the time of a command, and what follows when it was too long. */
class CriExecTimeoutTest {
  @TempDir Path directory;
  private final SetTime time = new SetTime();
  private CriFixture node;

  @BeforeEach
  void start() {
    node = new CriFixture(directory);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void connect(Duration leeway, Duration slotLeeway) {
    node.connect(time, CriFixture.options(leeway, slotLeeway, 8));
    node.awaitContainer();
  }

  private static final ExecSyncResponse OK = ExecSyncResponse.getDefaultInstance();
  private static final ExecSyncResponse EXIT_1 =
      ExecSyncResponse.newBuilder().setExitCode(1).build();
  private static final Answer SUCCEEDS = call -> call.reply(OK);
  private static final Answer FAILS = call -> call.reply(EXIT_1);
  private static final Answer ENDED =
      call -> call.fail(4, "timeout 1s exceeded: context deadline exceeded");

  static Stream<Arguments> ends() {
    Exited success = new Exited(0, "");
    Exited failure = new Exited(1, "");
    String doubt =
        "ExecSync: the command succeeded within %s, but possibly not within %s: the runtime"
            + " counts whole seconds only";
    return Stream.of(
        arguments("1s", "900ms", SUCCEEDS, success),
        arguments("the runtime was slow to start it", "1s", "4s", SUCCEEDS, success),
        arguments("and slow to start one that fails", "1s", "4s", FAILS, failure),
        arguments("the runtime's own count is over", "1s", "1s", ENDED, new TimedOut()),
        arguments("later, on a busy node", "1s", "6s", ENDED, new TimedOut()),
        arguments(
            "nothing the command has run into",
            "2s",
            "1999ms",
            ENDED,
            "ExecSync: rpc error: code = DeadlineExceeded desc = timeout 1s exceeded: context"
                + " deadline exceeded"),
        arguments("in time for certain", "250ms", "250ms", SUCCEEDS, success),
        arguments("perhaps", "250ms", "251ms", SUCCEEDS, doubt.formatted("251ms", "250ms")),
        arguments("perhaps", "1500ms", "1700ms", SUCCEEDS, doubt.formatted("1.7s", "1.5s")),
        arguments("wrong either way", "250ms", "251ms", FAILS, failure),
        arguments("ran for longer than that", "250ms", "1s", ENDED, new TimedOut()));
  }

  private static Arguments arguments(String timeout, String took, Answer answer, Object expected) {
    return arguments("in time", timeout, took, answer, expected);
  }

  private static Arguments arguments(
      String what, String timeout, String took, Answer answer, Object expected) {
    return Arguments.of(what, timeout, took, answer, expected);
  }

  @ParameterizedTest(name = "{0}: timeout {1}, answer after {2}")
  @MethodSource("ends")
  @DisplayName("H-9: the runtime's own count of the timeout decides; what is in doubt does not")
  void timeouts(String what, String timeout, String took, Answer answer, Object expected)
      throws Exception {
    connect(LONG, LONG);
    node.cri.on(
        "ExecSync",
        call -> {
          time.set(GoDuration.parse(took));
          answer.to(call);
        });
    Object end;
    try {
      end = node.exec(GoDuration.parse(timeout));
    } catch (ContainerRuntimeException unknown) {
      end = String.valueOf(unknown.getMessage());
    }
    assertThat(end).isEqualTo(expected);
  }

  /** Stands still but when it is set. */
  private static final class SetTime implements TimeSource {
    private volatile long now;

    void set(Duration later) {
      now = later.toNanos();
    }

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public Instant wallTime() {
      return Instant.EPOCH;
    }
  }

  @Test
  @DisplayName("H-9: one whose end a runtime that is well has not told long after was too long")
  void hangs() throws Exception {
    connect(Duration.ofMillis(50), LONG);
    node.cri.on("ExecSync", _ -> {});
    assertThat(node.exec(Duration.ofMillis(100))).isEqualTo(new TimedOut());
  }

  @Test
  @DisplayName("H-9: and one that hangs gives its slot to another while it is waited for")
  void slots() throws Exception {
    connect(LONG, Duration.ofMillis(50));
    BlockingQueue<Call> calls = new ArrayBlockingQueue<>(3);
    node.cri.on("ExecSync", calls::add);
    Stream.generate(() -> failureOf(Duration.ofNanos(1))).limit(3).forEach(_ -> {});
    for (int begun = 0; begun < 3; begun++) { // a pod has two slots of eight
      assertThat(calls.poll(1, TimeUnit.MINUTES)).isNotNull();
    }
    await().until(() -> node.runtime.stats().execs().running() == 0);
  }

  @Test
  @DisplayName(
      "H-9: one whose time the runtime spent being away says nothing, though it answers again")
  void awayMeanwhile() throws Exception {
    connect(LONG, LONG);
    BlockingQueue<Call> calls = new ArrayBlockingQueue<>(1);
    node.cri.on("ExecSync", calls::add);
    CompletableFuture<Throwable> ended = failureOf(Duration.ofNanos(1));
    Call late = calls.poll(1, TimeUnit.MINUTES);
    beAwayOnce();
    time.set(Duration.ofSeconds(1));
    late.stream().executor().execute(() -> late.fail(4, "timeout exceeded"));
    assertThat(ended.get(1, TimeUnit.MINUTES))
        .hasMessage("ExecSync: the runtime was unavailable while the command ran");
  }

  private CompletableFuture<Throwable> failureOf(Duration timeout) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        failure.complete(new AssertionError(node.exec(timeout).toString()));
      } catch (Exception expected) {
        failure.complete(expected);
      }
    });
    return failure;
  }

  /** Refuses one look and is well again. */
  private void beAwayOnce() {
    long before = node.runtime.stats().disconnects();
    FakeCri.Answer well = node.cri.answer("ListContainers");
    node.cri.on(
        "ListContainers",
        call -> {
          node.cri.on("ListContainers", well);
          call.fail(13, "busy");
        });
    await().until(() -> node.runtime.connected() && node.runtime.stats().disconnects() > before);
  }
}
