package io.probelet.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Source;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.policy.PolicySettings;
import io.probelet.manifest.policy.Preset;
import io.probelet.manifest.policy.ProbeAgent;
import io.probelet.manifest.policy.ProbeOrigin;
import io.probelet.probe.HttpHeader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the configuration file of an agent may say, and how mistakes in it are told. */
class ConfigurationFileTest {
  private static ConfigurationFile.Reading read(String yaml) {
    return ConfigurationFile.read(Path.of("agent.yaml"), Source.of(yaml));
  }

  @Test
  @DisplayName("an empty file is the default")
  void empty() {
    assertThat(read("# nothing\n").problems()).isEmpty();
    assertThat(read("").configuration()).isEqualTo(AgentConfiguration.DEFAULT);
  }

  @Test
  @DisplayName("every key is read")
  void all() {
    ConfigurationFile.Reading reading =
        read(
            """
            probes:
              sources: [annotation]
              userAgent: probelet
            runtime:
              endpoint: unix:///run/x.sock
              execHold: 30s
            enforcement:
              mode: observe
              namespaces: {shop: enforce}
              withoutRuntime: delete
            guard:
              enabled: false
              percent: 20
              least: 3
              window: 30s
              hold: 5m
            workloadGuard: {enabled: true, percent: 20, maxHold: 1m, window: 2m}
            throttleGuard: {enabled: false, hold: 0s, maxHold: 1m}
            nodeMonitor:
              monitors: [default, /etc/monitors]
              stateFolder: /var/lib/probelet
            http:
              listen: 127.0.0.1:1
            """);
    assertThat(reading.problems()).isEmpty();
    AgentConfiguration configuration = reading.configuration();
    assertThat(configuration.origins()).containsExactly(ProbeOrigin.ANNOTATION);
    assertThat(configuration.node())
        .isEqualTo(
            new NodeSettings(
                List.of(Path.of("default"), Path.of("/etc/monitors")),
                Path.of("/var/lib/probelet"),
                UploadSettings.OFF));
    assertThat(configuration.runtime()).isEqualTo(new RuntimeChoice.Socket(Path.of("/run/x.sock")));
    assertThat(configuration.execHold()).isEqualTo(Duration.ofSeconds(30));
    assertThat(configuration.restarts())
        .isEqualTo(
            new RestartSettings(
                Enforcement.OBSERVE,
                Map.of("shop", Enforcement.ENFORCE),
                RestartSettings.Removal.DELETE,
                new GuardSettings(false, 20, 3, Duration.ofSeconds(30), Duration.ofMinutes(5)),
                new WorkloadGuardSettings(true, 20, Duration.ofMinutes(1), Duration.ofMinutes(2)),
                new ThrottleSettings(false, Duration.ZERO, Duration.ofMinutes(1)),
                WorkloadGuardSettings.READINESS));
    assertThat(configuration.http().listen().port()).isEqualTo(1);
    assertThat(configuration.userAgent()).isEqualTo(ProbeAgent.PROBELET);
  }

  @Test
  @DisplayName("MW-13 the conditions of the guard are read; too many, and other texts, are errors")
  void guardConditions() {
    assertThat(
            read("guard: {holdOnConditions: [KernelDeadlock, degraded.probelet.io/DiskSlow]}")
                .configuration()
                .restarts()
                .guard()
                .conditions())
        .containsExactlyInAnyOrder("KernelDeadlock", "degraded.probelet.io/DiskSlow");
    assertThat(read("guard: {holdOnConditions: ['a b']}").problems())
        .singleElement()
        .asString()
        .contains("must be a name of at most 63 letters");
    String many = String.join(", ", Collections.nCopies(33, "A"));
    assertThat(read("guard: {holdOnConditions: [" + many + "]}").problems())
        .singleElement()
        .asString()
        .contains("more than 32 conditions");
  }

  @Test
  @DisplayName("the policy is read: presets, single settings over them, profiles")
  void policy() {
    PolicySettings policy =
        ConfigurationReading.of(
                """
                policy:
                  preset: trusted
                  namespaces:
                  - names: [team-a, "edge-*"]
                    preset: restricted
                    exec: true
                    hosts: [10.1.0.0/16, "*.example.com"]
                    enforcement: observe
                    sources: [annotation]
                    shortestPeriod: 1s
                    longestRecoveryTime: 0s
                  profiles:
                  - name: mesh
                    namespaces: [team-a]
                    hosts: [vault.example.com]
                    tls: {caFile: /p/ca.pem}
                    headers: [{name: Authorization, valueFile: /p/token}]
                """)
            .policy();
    assertThat(policy.of("elsewhere")).isEqualTo(Preset.TRUSTED.policy());
    NamespacePolicy edge = policy.of("edge-1");
    assertThat(edge.exec()).isTrue();
    assertThat(edge.hosts().allow("10.1.2.3")).isTrue();
    assertThat(edge.hosts().allow("10.2.2.3")).isFalse();
    assertThat(edge.enforcement()).isEqualTo(Enforcement.OBSERVE);
    assertThat(edge.sources()).containsExactly(ProbeOrigin.ANNOTATION);
    assertThat(edge.shortestPeriod()).isEqualTo(Duration.ofSeconds(1));
    assertThat(edge.longestRecoveryTime()).isZero();
    assertThat(edge.profiles()).isEmpty();
    assertThat(policy.of("team-a").profiles())
        .singleElement()
        .satisfies(profile ->
            assertThat(profile.headers())
                .containsExactly(
                    new HttpHeader(
                        "Authorization", new HttpHeader.FromFile("", Path.of("/p/token")))));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "probes: {source: []} | agent.yaml:1:10: error: probes.source: unknown field; did you mean \"sources\"?",
        "probes: {sources: [pod]} | agent.yaml:1:20: error: probes.sources[0]: Unsupported value: \"pod\": supported values: \"spec\", \"annotation\"",
        "probes: {userAgent: curl} | agent.yaml:1:21: error: probes.userAgent: Unsupported value: \"curl\": supported values: \"kube-probe\", \"probelet\"",
        "probes: 7 | agent.yaml:1:9: error: probes: Invalid value: 7: must be an object",
        "runtime: {endpoint: socket} | agent.yaml:1:21: error: runtime.endpoint: Invalid value: \"socket\": runtime endpoint \"socket\" is not a unix socket; write it like unix:///run/containerd/containerd.sock",
        "enforcement: {mode: kill} | agent.yaml:1:21: error: enforcement.mode: Unsupported value: \"kill\": supported values: \"enforce\", \"observe\"",
        "guard: {percent: 100} | agent.yaml:1:18: error: guard.percent: Invalid value: 100: must be from 1 to 99",
        "runtime: {execHold: 61m} | agent.yaml:1:21: error: runtime.execHold: Invalid value: \"61m\": must be at most 60m",
        "runtime: {execHold: 0s} | agent.yaml:1:21: error: runtime.execHold: Invalid value: \"0s\": must be above zero",
        "workloadGuard: {window: 11m} | agent.yaml:1:25: error: workloadGuard.window: Invalid value: \"11m\": must be at most 10m",
        "workloadGuard: {maxHold: 61m} | agent.yaml:1:26: error: workloadGuard.maxHold: Invalid value: \"61m\": must be at most 60m",
        "throttleGuard: {maxHold: 61m} | agent.yaml:1:26: error: throttleGuard.maxHold: Invalid value: \"61m\": must be at most 60m",
        "throttleGuard: {hold: 11m} | agent.yaml:1:23: error: throttleGuard.hold: Invalid value: \"11m\": must be from 0s to maxHold, 10m0s",
        "throttleGuard: {holds: 1m} | agent.yaml:1:17: error: throttleGuard.holds: unknown field; did you mean \"hold\"?",
        "guard: {hold: 0s} | agent.yaml:1:15: error: guard.hold: Invalid value: \"0s\": must be above zero",
        "policy: {preset: free} | agent.yaml:1:18: error: policy.preset: Unsupported value: \"free\": supported values: \"restricted\", \"trusted\"",
        "policy: {namespaces: [{exec: true}]} | agent.yaml:1:23: error: policy.namespaces[0].names: Required value: the namespaces it applies to, such as [shop, \"edge-*\"]",
        "policy: {namespaces: [{names: ['*a']}]} | agent.yaml:1:32: error: policy.namespaces[0].names[0]: Invalid value: \"*a\": must be the name of a namespace, optionally with * at the end",
        "policy: {namespaces: [{names: [a], shortestPeriod: 50ms}]} | agent.yaml:1:52: error: policy.namespaces[0].shortestPeriod: Invalid value: \"50ms\": must be at least 100ms",
        "policy: {namespaces: [{names: [a], longestRecoveryTime: 2h}]} | agent.yaml:1:57: error: policy.namespaces[0].longestRecoveryTime: Invalid value: \"2h\": must be from 0s to 1h0m0s",
        "policy: {namespaces: [{names: [a], hosts: [127.1]}]} | agent.yaml:1:44: error: policy.namespaces[0].hosts[0]: Invalid value: 127.1: must be a string; put it in quotes",
        "policy: {namespaces: [{names: [a], hosts: ['127.1']}]} | agent.yaml:1:44: error: policy.namespaces[0].hosts[0]: Invalid value: \"127.1\": must be an address, a block of them such as 10.1.0.0/16, a host name, *.example.com, \"pod\" for the pod's own addresses, or \"*\" for all",
        "policy: {profiles: [{name: a, namespaces: [a]}]} | agent.yaml:1:21: error: policy.profiles[0]: Required value: must specify tls, headers or both",
        "policy: {profiles: [{name: a, namespaces: [a], tls: {caFile: ca.pem}}]} | agent.yaml:1:62: error: policy.profiles[0].tls.caFile: Invalid value: \"ca.pem\": must be an absolute path, on the node",
        "policy: {profiles: [{name: a, namespaces: [a], headers: [{name: A}]}]} | agent.yaml:1:58: error: policy.profiles[0].headers[0]: must specify either value or valueFile",
        "http: {listen: here} | agent.yaml:1:16: error: http.listen: Invalid value: \"here\": \"here\" is not host:port; write it like 127.0.0.1:20258 or [::1]:20258",
      })
  @DisplayName("an error names line, path and allowed values")
  void wrong(String yaml, String problem) {
    assertThat(read(yaml).problems()).map(Object::toString).containsExactly(problem);
  }
}
