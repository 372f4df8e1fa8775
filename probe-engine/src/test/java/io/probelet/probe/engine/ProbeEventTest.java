package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.Verdict;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** D-6: the kubelet's reasons and wording. */
class ProbeEventTest {
  static Stream<Arguments> verdicts() {
    return Stream.of(
        Arguments.of(
            ProbeKind.LIVENESS,
            new Verdict.Failure("HTTP probe failed with statuscode: 500"),
            new ProbeEvent(
                "Warning",
                "Unhealthy",
                "Liveness probe failed: HTTP probe failed with statuscode: 500")),
        Arguments.of(
            ProbeKind.READINESS,
            new Verdict.Warning("Probe terminated redirects, Response body: x"),
            new ProbeEvent(
                "Warning",
                "ProbeWarning",
                "Readiness probe warning: Probe terminated redirects, Response body: x")),
        Arguments.of(
            ProbeKind.STARTUP,
            new Verdict.ProberError(Verdict.Reason.RUNTIME, "no such container"),
            new ProbeEvent(
                "Warning",
                "Unhealthy",
                "Startup probe errored and resulted in unknown state: no such container")));
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  @DisplayName("D-6 each outcome but success has its event")
  void events(ProbeKind kind, Verdict verdict, ProbeEvent event) {
    assertThat(ProbeEvent.of(kind, verdict)).contains(event);
  }

  @Test
  @DisplayName("D-6 success has none")
  void success() {
    assertThat(ProbeEvent.of(ProbeKind.LIVENESS, new Verdict.Success("ok"))).isEmpty();
  }

  @Test
  @DisplayName("D-6 killing tells the container, the probe and what comes next")
  void killing() {
    ContainerSpec container = Fixtures.container(Map.of());
    assertThat(ProbeEvent.killing(ProbeKind.STARTUP, container, true).message())
        .isEqualTo("Container nginx failed startup probe, will be restarted");
    assertThat(ProbeEvent.killing(ProbeKind.LIVENESS, container, false).message())
        .isEqualTo("Container nginx failed liveness probe");
    assertThat(ProbeEvent.killing(ProbeKind.LIVENESS, Fixtures.sidecar(Map.of()), false).message())
        .isEqualTo("Init container nginx failed liveness probe");
  }

  @Test
  @DisplayName("D-7 a failed preStop hook is reported in the kubelet's words, without details")
  void preStopFailed() {
    assertThat(ProbeEvent.preStopFailed())
        .isEqualTo(new ProbeEvent("Warning", "FailedPreStopHook", "PreStopHook failed"));
  }
}
