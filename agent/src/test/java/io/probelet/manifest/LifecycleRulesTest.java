package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.config.ConfigurationReading;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P-19, D-7: hooks are read and checked as the API server does. */
class LifecycleRulesTest {
  private static PreStopHook preStop(String lifecycle) {
    return Reading.ofContainer("lifecycle: " + lifecycle).container().preStop();
  }

  @Test
  @DisplayName("P-19 D-7 the three handlers, with the API server's defaults")
  void handlers() {
    assertThat(preStop("{preStop: {exec: {command: [drain, $(HOME)]}}}"))
        .isEqualTo(new PreStopHook.Exec(List.of("drain", "$(HOME)")));
    assertThat(preStop("{preStop: {sleep: {seconds: 30}}}"))
        .isEqualTo(new PreStopHook.Sleep(Duration.ofSeconds(30)));
    assertThat(preStop("{preStop: {sleep: {}}}")).isEqualTo(new PreStopHook.Sleep(Duration.ZERO));
    HttpGet plain = ((PreStopHook.Request) preStop("{preStop: {httpGet: {port: http}}}")).request();
    assertThat(List.of(plain.path(), plain.scheme(), plain.headers()))
        .isEqualTo(List.of("/", Scheme.HTTP, List.of()));
    assertThat(plain.host()).isNull();
    HttpGet full =
        ((PreStopHook.Request)
                preStop(
                    "{preStop: {httpGet: {port: 8443, path: /stop, scheme: HTTPS, host: a.b,"
                        + " httpHeaders: [{name: X-A, value: b}]}}}"))
            .request();
    assertThat(List.of(full.path(), full.scheme(), full.host(), full.headers()))
        .isEqualTo(List.of("/stop", Scheme.HTTPS, "a.b", List.of(new HttpHeader("X-A", "b"))));
    assertThat(preStop("{}")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "preStop: {}|lifecycle.preStop: Required value: must specify a handler type",
        "postStart: {}|lifecycle.postStart: Required value: must specify a handler type",
        "preStop: {exec: {}}|lifecycle.preStop.exec.command: Required value: the command to run, at"
            + " least one entry",
        "preStop: {httpGet: {port: 0}}|lifecycle.preStop.httpGet.port: Invalid value: 0: must be"
            + " between 1 and 65535, inclusive",
        "preStop: {httpGet: {port: 80, scheme: http}}|lifecycle.preStop.httpGet.scheme: Unsupported"
            + " value: \"http\": supported values: \"HTTP\", \"HTTPS\"",
        "preStop: {sleep: {seconds: 1}, exec: {command: [a]}}|lifecycle.preStop.sleep: Forbidden: may"
            + " not specify more than 1 handler type",
        "preStop: {sleep: {seconds: -1}}|lifecycle.preStop.sleep.seconds: Invalid value: -1:"
            + " must be between 0 and terminationGracePeriodSeconds, here 30",
        "preStop: {sleep: {seconds: 31}}|lifecycle.preStop.sleep.seconds: Invalid value: 31:"
            + " must be between 0 and terminationGracePeriodSeconds, here 30",
        "postStart: {sleep: {seconds: 31}}|lifecycle.postStart.sleep.seconds: Invalid value:"
            + " 31: must be between 0 and terminationGracePeriodSeconds, here 30",
      })
  @DisplayName("P-19 what the API server refuses is an error")
  void refused(String hook, String error) {
    Reading reading = Reading.of(Reading.pod("lifecycle: {" + hook + "}"), Mode.PROBES_ONLY);
    assertThat(reading.complaints()).containsExactly(error);
    assertThat(reading.pods()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "preStop: {exec: {command: [a], timeout: 3}}|lifecycle.preStop.exec.timeout",
        "preStop: {grpc: {port: 1}, sleep: {}}|lifecycle.preStop.grpc",
        "beforeStop: {}|lifecycle.beforeStop",
      })
  @DisplayName("P-19 an unknown field is reported")
  void unknown(String hook, String field) {
    Reading reading = Reading.of(Reading.pod("lifecycle: {" + hook + "}"), Mode.PROBES_ONLY);
    assertThat(reading.complaints()).singleElement().asString().startsWith(field + ": unknown");
  }

  @Test
  @DisplayName("P-19 D-7 a tcpSocket hook, which no kubelet carries out either, is a warning")
  void tcpSocket() {
    Reading reading = Reading.ofContainer("lifecycle: {preStop: {tcpSocket: {port: 80}}}");
    assertThat(reading.complaints())
        .containsExactly(
            "lifecycle.preStop.tcpSocket: tcpSocket is not supported in hooks; use exec,"
                + " httpGet or sleep");
    assertThat(reading.pods().getFirst().probed().containers().getFirst().preStop())
        .isEqualTo(new PreStopHook.Refused("tcpSocket is not supported in hooks"));
  }

  @ParameterizedTest
  @CsvSource({
    "'',169.254.169.254,false",
    "'',localhost,false",
    "'',2130706433,false",
    "'policy: {preset: trusted}',169.254.169.254,true",
    "'policy: {namespaces: [{names: [shop], hosts: [10.0.0.0/8]}]}',10.1.2.3,true",
    "'policy: {namespaces: [{names: [shop], hosts: [10.0.0.0/8]}]}',11.1.2.3,false",
  })
  @DisplayName("D-7 a hook's request goes where the administrator lets a probe's go")
  void hosts(String policy, String host, boolean allowed) {
    String pod =
        Reading.pod("lifecycle: {preStop: {httpGet: {port: 80, host: '%s'}}}".formatted(host))
            .replace("{name: test}", "{name: test, namespace: shop}");
    PodRules rules = ConfigurationReading.of(policy).podRules();
    Reading reading = Reading.of(pod, Mode.IN_CLUSTER, rules);
    PreStopHook hook = reading.pods().getFirst().probed().containers().getFirst().preStop();
    if (allowed) {
      assertThat(reading.complaints()).isEmpty();
      assertThat(hook).isInstanceOf(PreStopHook.Request.class);
    } else {
      assertThat(reading.complaints())
          .singleElement()
          .asString()
          .startsWith(
              "lifecycle.preStop.httpGet.host: Forbidden: the policy for this namespace allows"
                  + " only the pod's own address");
      assertThat(hook).isEqualTo(new PreStopHook.Refused("its host is not allowed"));
    }
  }
}
