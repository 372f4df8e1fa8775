package io.probelet.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.engine.Fixtures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Dispatch by handler, and the combinations. In the tables: s success, w warning, f failure, e
 * error.
 */
class ProbersTest {
  private final Map<String, Consumer<ProbeOutcome>> waiting = new HashMap<>();
  private final List<ProbeOutcome> outcomes = new ArrayList<>();
  private final Probers probers =
      new Probers(
          (http, target, timeout, done) -> waiting.put("http", done),
          (tcp, target, timeout, done) -> waiting.put("tcp", done),
          (datagram, target, timeout, done) -> waiting.put(datagram.fieldName(), done),
          (exec, target, timeout, done) -> waiting.put(exec.command().getFirst(), done),
          (grpc, target, timeout, done) -> waiting.put("grpc", done));

  @Test
  @DisplayName("each handler goes to its prober")
  void dispatch() {
    Stream.of(
            new ProbeHandler.HttpGet(new Port.Numeric(80), "/"),
            new ProbeHandler.TcpSocket(new Port.Numeric(80), null),
            new ProbeHandler.UdpSocket(new Port.Numeric(80), null, "a", List.of()),
            new ProbeHandler.Grpc(80, "", null),
            exec("sh"))
        .forEach(this::probe);
    assertThat(waiting).containsOnlyKeys("http", "tcp", "udpSocket", "grpc", "sh");
  }

  @ParameterizedTest
  @CsvSource({
    "all, s s, s",
    "all, s w, w",
    "all, s f, f",
    "all, e f, f",
    "all, e s, e",
    "any, f s, s",
    "any, f w, w",
    "any, f f, f",
    "any, e s, s",
    "any, e f, e"
  })
  @DisplayName("allOf and anyOf decide like the words say; an error only when nothing else decides")
  void combinations(String combination, String parts, char expected) {
    List<ProbeHandler> two = List.of(exec("0"), exec("1"));
    probe(combination.equals("all") ? new AllOf(two) : new AnyOf(two));
    waiting.get("0").accept(outcome(parts.charAt(0)));
    waiting.get("1").accept(outcome(parts.charAt(2)));
    assertThat(outcomes)
        .singleElement()
        .extracting(ProbeOutcome::verdict)
        .isInstanceOf(outcome(expected).verdict().getClass());
  }

  @ParameterizedTest
  @CsvSource({"all, f t, true", "all, t f, false", "any, f f, true", "any, f t, false"})
  @DisplayName("W-12 a combination is as definite as what made it fail")
  void definite(String combination, String parts, boolean definite) {
    List<ProbeHandler> two = List.of(exec("0"), exec("1"));
    probe(combination.equals("all") ? new AllOf(two) : new AnyOf(two));
    waiting.get("0").accept(outcome(parts.charAt(0)));
    waiting.get("1").accept(outcome(parts.charAt(2)));
    assertThat(outcomes)
        .singleElement()
        .extracting(ProbeOutcome::verdict)
        .isInstanceOfSatisfying(
            Verdict.Failure.class, failure -> assertThat(failure.definite()).isEqualTo(definite));
  }

  @Test
  @DisplayName("a part that decides ends the whole at once; the rest is not waited for")
  void decidesEarly() {
    probe(new AnyOf(List.of(exec("0"), exec("1"))));
    waiting.get("1").accept(outcome('s'));
    assertThat(outcomes).hasSize(1);
    waiting.get("0").accept(outcome('f'));
    assertThat(outcomes).hasSize(1);
  }

  @Test
  @DisplayName("texts of all parts are reported in order")
  void texts() {
    probe(new AnyOf(List.of(exec("0"), exec("1"))));
    waiting.get("1").accept(new ProbeOutcome(new Verdict.Failure("second"), ProbeTimings.of(5)));
    waiting.get("0").accept(new ProbeOutcome(new Verdict.Failure("first"), ProbeTimings.of(9)));
    assertThat(outcomes)
        .containsExactly(
            new ProbeOutcome(new Verdict.Failure("first; second"), ProbeTimings.of(9)));
  }

  @Test
  @DisplayName("combinations nest")
  void nested() {
    probe(new AllOf(List.of(exec("0"), new AnyOf(List.of(exec("1"), exec("2"))))));
    waiting.get("0").accept(outcome('s'));
    waiting.get("1").accept(outcome('f'));
    waiting.get("2").accept(outcome('s'));
    assertThat(outcomes)
        .singleElement()
        .satisfies(one -> assertThat(one.verdict().healthy()).isTrue());
  }

  private void probe(ProbeHandler handler) {
    ProbeTarget target =
        new ProbeTarget(Fixtures.POD, Fixtures.container(Map.of()), "id", "127.0.0.1");
    probers.probe(handler, target, Duration.ofSeconds(1), outcomes::add);
  }

  private static Exec exec(String name) {
    return new Exec(List.of(name));
  }

  private static ProbeOutcome outcome(char letter) {
    Verdict verdict =
        switch (letter) {
          case 's' -> new Verdict.Success("ok");
          case 'w' -> new Verdict.Warning("moved");
          case 'f' -> new Verdict.Failure("no");
          case 't' -> Verdict.Failure.indefinite("too late");
          default -> new Verdict.ProberError(Verdict.Reason.RUNTIME, "gone");
        };
    return new ProbeOutcome(verdict, ProbeTimings.of(1));
  }
}
