package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.READINESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** W-21: what an agent that has only just begun cannot blame on its targets. */
class ColdStartTest {
  private static final Port PORT = new Port.Numeric(80);
  private static final ProbeHandler HTTP = new HttpGet(PORT, "/");
  private static final ProbeHandler TCP = new TcpSocket(PORT, null);
  private static final ProbeHandler EXEC = new Exec(List.of("true"));
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final Verdict LATE = Failure.indefinite("no answer within 1s");

  private final EngineHarness harness = new EngineHarness();

  @Test
  @DisplayName("W-21 a timeout during which a class was loaded is discarded, and counted as such")
  void classLoaded() {
    probe(HTTP);
    assertThat(endOf(LATE, harness.loop::loadedClass))
        .isEqualTo(
            new ProberError(
                Reason.COLD_START, "discarded, the agent had just started: no answer within 1s"));
  }

  @Test
  @DisplayName("W-21 a timeout counts when no code was made ready during it")
  void nothingLoaded() {
    harness.loop.loadedClass();
    probe(HTTP);
    assertThat(endOf(LATE, () -> {})).isEqualTo(LATE);
  }

  @Test
  @DisplayName("W-21 a timeout is discarded after many short waits of a tenth of it together")
  void waits() {
    probe(HTTP);
    assertThat(reasonOf(endOf(LATE, () -> waits(Duration.ofMillis(9))))).isNull();
    assertThat(reasonOf(endOf(LATE, () -> waits(Duration.ofMillis(10)))))
        .isEqualTo(Reason.COLD_START);
  }

  @Test
  @DisplayName("W-21 a definite failure always counts")
  void definite() {
    probe(HTTP);
    Verdict refused = new Failure("connection refused");
    assertThat(endOf(refused, harness.loop::loadedClass)).isEqualTo(refused);
  }

  @Test
  @DisplayName("W-21 an incomplete answer, which is discarded anyway, keeps its own reason")
  void incomplete() {
    probe(HTTP);
    awaitProbe();
    Verdict cut = new ProberError(Reason.INCOMPLETE_ANSWER, "unexpected EOF");
    while (harness.probed.isEmpty()) { // it is tried three times
      harness.loop.loadedClass();
      harness.answer(cut);
    }
    assertThat(harness.probed.getLast().outcome().verdict()).isEqualTo(cut);
  }

  @Test
  @DisplayName("W-21 after 16 definite answers of its kind, good or bad, a timeout counts")
  void enoughAnswers() {
    probe(HTTP);
    for (int answer = 0; answer < ColdStart.ENOUGH_ANSWERS; answer++) {
      assertThat(reasonOf(endOf(LATE, harness.loop::loadedClass))).isEqualTo(Reason.COLD_START);
      endOf(answer % 2 == 0 ? new Verdict.Success("") : new Failure("statuscode: 500"), () -> {});
    }
    assertThat(endOf(LATE, harness.loop::loadedClass)).isEqualTo(LATE);
  }

  @Test
  @DisplayName("W-21 what is known of one kind of handler says nothing of another")
  void otherKind() {
    probe(HTTP);
    for (int answer = 0; answer < ColdStart.ENOUGH_ANSWERS; answer++) {
      endOf(new Verdict.Success(""), () -> {});
    }
    harness.engine.remove(Fixtures.POD);
    probe(TCP);
    assertThat(reasonOf(endOf(LATE, harness.loop::loadedClass))).isEqualTo(Reason.COLD_START);
  }

  @Test
  @DisplayName("W-21 30 s after the start a timeout counts, even if there was no answer at all")
  void bounded() {
    Instant start = harness.loop.time().wallTime();
    probe(HTTP);
    while (reasonOf(endOf(LATE, harness.loop::loadedClass)) == Reason.COLD_START) {
      assertThat(harness.loop.time().wallTime()).isBefore(start.plus(ColdStart.LONGEST));
    }
    assertThat(Duration.between(start, harness.loop.time().wallTime()))
        .isBetween(ColdStart.LONGEST, ColdStart.LONGEST.plus(PERIOD));
  }

  @Test
  @DisplayName("W-21 the 30 s begin with the agent, whatever the clock says then")
  void anyClock() {
    VirtualLoop loop = new VirtualLoop();
    loop.advance(Duration.ofMinutes(1));
    ColdStart cold = new ColdStart(loop);
    long mark = cold.mark(ColdStart.Path.HTTP);
    loop.loadedClass();
    assertThat(cold.spoilt(ColdStart.Path.HTTP, mark, 0, TIMEOUT)).isTrue();
    loop.advance(ColdStart.LONGEST);
    assertThat(cold.spoilt(ColdStart.Path.HTTP, mark, 0, TIMEOUT)).isFalse();
  }

  @Test
  @DisplayName("W-21 TLS and combinations are kinds of their own")
  void kinds() {
    ProbeHandler https =
        new HttpGet(
            PORT, null, "/", Scheme.HTTPS, List.of(), TlsOptions.INSECURE, HttpExpectation.KUBELET);
    ProbeHandler h2c =
        new HttpGet(
            PORT,
            null,
            "/",
            Scheme.HTTP,
            List.of(),
            TlsOptions.INSECURE,
            HttpExpectation.KUBELET,
            Method.GET,
            Protocol.HTTP2);
    assertThat(
            List.of(
                    HTTP,
                    https,
                    h2c,
                    TCP,
                    new TcpSocket(PORT, null).with(TlsOptions.INSECURE),
                    new UdpSocket(PORT, null, "a", List.of()),
                    new Grpc(1, "", null),
                    new Grpc(1, "", TlsOptions.INSECURE),
                    new AllOf(List.of(HTTP)),
                    EXEC)
                .stream()
                .map(ColdStart.Path::of))
        .containsExactly(ColdStart.Path.values());
    assertThat(ColdStart.Path.of(new AnyOf(List.of(HTTP)))).isEqualTo(ColdStart.Path.COMBINED);
  }

  static Stream<Arguments> spoiltByLoading() {
    return Stream.of(
        arguments("HTTP", HTTP, true),
        arguments("TCP", TCP, true),
        arguments("gRPC", new Grpc(1, "", null), true),
        arguments("exec", EXEC, false),
        arguments("all of exec", new AllOf(List.of(EXEC, new AnyOf(List.of(EXEC)))), false),
        arguments("any of exec", new AnyOf(List.of(EXEC)), false),
        arguments("exec beside HTTP", new AllOf(List.of(EXEC, HTTP)), true),
        arguments("HTTP within a part", new AnyOf(List.of(EXEC, new AllOf(List.of(HTTP)))), true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("spoiltByLoading")
  @DisplayName(
      "W-21 a timeout of a command counts from the start: the agent's code takes none of it")
  void commandsHaveTheirOwnClock(String name, ProbeHandler handler, boolean discarded) {
    probe(handler);
    Reason expected = discarded ? Reason.COLD_START : null;
    assertThat(reasonOf(endOf(LATE, harness.loop::loadedClass))).isEqualTo(expected);
    assertThat(reasonOf(endOf(LATE, () -> waits(Duration.ofMillis(10))))).isEqualTo(expected);
  }

  /** Probes a pod that has just started, without a spread of first ticks. */
  private void probe(ProbeHandler handler) {
    harness.target = () -> null;
    harness.running(
        Map.of(READINESS, ProbeSpec.of(handler).period(PERIOD).timeout(TIMEOUT).build()));
  }

  /** {@return what becomes of the next probe, during which something happens} */
  private Verdict endOf(Verdict verdict, Runnable during) {
    awaitProbe();
    during.run();
    harness.answer(verdict);
    return harness.probed.getLast().outcome().verdict();
  }

  private void awaitProbe() {
    while (harness.waiting() == 0) {
      harness.loop.advance(Duration.ofMillis(1));
    }
  }

  private void waits(Duration each) {
    for (int i = 0; i < 10; i++) {
      harness.loop.waitedForProcessor(each);
      harness.loop.advance(Duration.ofMillis(25));
    }
  }

  private static Reason reasonOf(Verdict verdict) {
    return verdict instanceof ProberError error ? error.reason() : null;
  }
}
