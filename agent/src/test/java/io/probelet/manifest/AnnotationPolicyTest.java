package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.config.ConfigurationReading;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.policy.PodRules;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the administrator does not allow is refused with field and rule, in a cluster. */
class AnnotationPolicyTest {
  private static final String FIELD = "metadata.annotations[probelet.io/probes].";

  private static final String TRUSTED = "policy: {preset: trusted}";

  private static final String SPEC =
      """
      livenessProbe: {httpGet: {port: http, host: 169.254.169.254, scheme: HTTPS}}
      startupProbe: {exec: {command: [ready]}}
      """;

  private static Reading read(String policy, String annotation, String more) {
    PodRules rules = ConfigurationReading.of(policy).podRules();
    return Reading.of(
        Reading.pod(SPEC)
            .replace("spec:", "spec:\n  readinessGates: [{conditionType: probelet.io/ready}]")
            .replace(
                "metadata: {name: test}",
                "metadata:\n  name: test\n  namespace: shop\n  annotations:\n"
                    + more.indent(4)
                    + "    probelet.io/probes: |\n"
                    + annotation.indent(6).stripTrailing()),
        Mode.PROBES_ONLY,
        rules);
  }

  private static Reading read(String policy, String annotation) {
    return read(policy, annotation, "");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "web: {readiness: {exec: {command: [sh]}}}                       | web.readiness.exec: Forbidden: the policy for this namespace allows no commands in annotations (exec)",
        "web: {liveness: {preKill: {exec: {command: [sh]}}}}             | web.liveness.preKill.exec: Forbidden: the policy for this namespace allows no commands in annotations (exec)",
        "web: {readiness: {allOf: [{exec: {command: [sh]}}]}}            | web.readiness.allOf[0].exec: Forbidden: the policy for this namespace allows no commands in annotations (exec)",
        "web: {readiness: {anyOf: [{allOf: [{exec: {command: [sh]}}]}]}} | web.readiness.anyOf[0].allOf[0].exec: Forbidden: the policy for this namespace allows no commands in annotations (exec)",
        "web: {readiness: {httpGet: {port: 80, host: 169.254.169.254}}}  |"
            + " web.readiness.httpGet.host: Forbidden: the policy for this namespace allows only"
            + " the pod's own address (without host) (hosts)",
        "web: {readiness: {httpGet: {port: 80, host: localhost}}}        |"
            + " web.readiness.httpGet.host: Forbidden: the policy for this namespace allows only"
            + " the pod's own address (without host) (hosts)",
        "web: {readiness: {tcpSocket: {port: 80, host: '2130706433'}}}   |"
            + " web.readiness.tcpSocket.host: Forbidden: the policy for this namespace allows"
            + " only the pod's own address (without host) (hosts)",
        "web: {readiness: {allOf: [{tcpSocket: {port: 80, host: '::'}}]}} |"
            + " web.readiness.allOf[0].tcpSocket.host: Forbidden: the policy for this namespace"
            + " allows only the pod's own address (without host) (hosts)",
        "web: {liveness: {tls: {caFile: /dev/zero}}}                     |"
            + " web.liveness.tls.caFile: Forbidden: annotations in a cluster may not name files;"
            + " put the certificates into ca, or use a profile",
        "web: {liveness: {profile: mesh}}                                |"
            + " web.liveness.profile: Invalid value: \"mesh\": no such profile is configured for"
            + " this namespace (policy.profiles)",
      })
  @DisplayName("restricted, which is the default")
  void restricted(String annotation, String complaint) {
    assertThat(read("", annotation).complaints()).containsExactly(FIELD + complaint);
  }

  @Test
  @DisplayName("trusted allows hosts and commands, and no files either")
  void trusted() {
    String annotation =
        """
        web:
          readiness:
            allOf:
            - exec: {command: [sh]}
            - httpGet: {port: 80, host: 169.254.169.254}
            - tcpSocket: {port: 80, host: localhost}
        """;
    assertThat(read(TRUSTED, annotation).problems()).isEmpty();
    assertThat(read(TRUSTED, "web: {liveness: {tls: {certFile: /c, keyFile: /k}}}").complaints())
        .hasSize(2)
        .allMatch(
            each -> each.contains("File: Forbidden: annotations in a cluster may not name files"));
  }

  @Test
  @DisplayName("what the pod's spec asks for went through admission: it stays when refined")
  void spec() {
    assertThat(
            read(
                    "",
                    """
                    web:
                      liveness: {period: 1s, expect: {statuses: 200}, tls: {serverName: a.test}}
                      startup: {period: 1s}
                    """)
                .problems())
        .isEmpty();
  }

  @Test
  @DisplayName("single settings lie between the presets, by namespace")
  void settings() {
    String policy =
        """
        policy:
          namespaces:
          - names: [sh*]
            exec: true
            hosts: [10.0.0.0/8]
            shortestPeriod: 2s
            longestRecoveryTime: 30s
        """;
    assertThat(
            read(
                    policy,
                    """
                    web:
                      startup: {exec: {command: [sh]}, period: 2s}
                      readiness: {tcpSocket: {port: 80, host: 10.1.2.3}, recoveryTime: 30s}
                    """)
                .problems())
        .isEmpty();
    assertThat(
            read(
                    policy,
                    """
                    web:
                      startup: {exec: {command: [sh]}, period: 1s}
                      readiness: {tcpSocket: {port: 80, host: 11.1.2.3}, recoveryTime: 31s}
                      liveness: {failingPeriod: 100ms}
                    """)
                .complaints())
        .containsExactlyInAnyOrder(
            FIELD
                + "web.startup.period: Forbidden: the policy for this namespace allows at least 2s"
                + " (shortestPeriod)",
            FIELD
                + "web.readiness.tcpSocket.host: Forbidden: the policy for this namespace"
                + " allows only the pod's own address and the listed hosts (hosts)",
            FIELD
                + "web.readiness.recoveryTime: Forbidden: the policy for this namespace allows at"
                + " most 30s (longestRecoveryTime)",
            FIELD
                + "web.liveness.failingPeriod: Forbidden: the policy for this namespace allows at"
                + " least 2s (shortestPeriod)");
    assertThat(
            read(policy.replace("sh*", "s"), "web: {startup: {exec: {command: [sh]}}}").problems())
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "httpGet|{port: 1, host: a.example, method: POST}",
        "tcpSocket|{port: 1, host: a.example, queryResponse: [{send: a}]}",
        "udpSocket|{port: 1, host: a.example, send: a}",
      })
  @DisplayName("P-28 P-29 nothing is sent to another host, even to one that may be probed")
  void nothingIsSentElsewhere(String name, String handler) {
    String any = "policy: {namespaces: [{names: [shop], hosts: [pod, '*']}]}";
    assertThat(read(any, "web: {readiness: {" + name + ": " + handler + "}}").complaints())
        .containsExactly(
            FIELD
                + "web.readiness."
                + name
                + ": Forbidden: in a cluster, POST and send are only for the pod's own address"
                + " (no host)");
    String own = handler.replace("host: a.example, ", "");
    assertThat(read("", "web: {readiness: {" + name + ": " + own + "}}").problems()).isEmpty();
    String asks = handler.replace("POST", "HEAD").replace("send", "expect");
    if (!name.equals("udpSocket")) {
      assertThat(read(any, "web: {readiness: {" + name + ": " + asks + "}}").problems()).isEmpty();
    }
  }

  @Test
  @DisplayName("P-42 an echo request to another host needs the policy's permission")
  void echoRequests() {
    assertThat(read("", "web: {readiness: {icmp: {}}}").problems()).isEmpty();
    assertThat(read("", "web: {readiness: {icmp: {host: 10.0.0.1}}}").complaints())
        .containsExactly(
            FIELD
                + "web.readiness.icmp.host: Forbidden: the policy for this namespace allows only"
                + " the pod's own address (without host) (hosts)");
  }

  @Test
  @DisplayName("P-34 no Unix socket in a cluster, whatever the policy")
  void noUnixSockets() {
    String any = "policy: {namespaces: [{names: [shop], exec: true, hosts: [pod, '*']}]}";
    for (String name : List.of("httpGet", "tcpSocket")) {
      assertThat(read(any, "web: {readiness: {" + name + ": {unixSocket: /run/a}}}").complaints())
          .containsExactly(
              FIELD
                  + "web.readiness."
                  + name
                  + ": Forbidden: annotations in a cluster may not name files; unixSocket is one");
    }
  }

  @Test
  @DisplayName("P-31 a DNS server other than the pod must be allowed")
  void dnsServers() {
    String annotation = "web: {readiness: {dns: {host: 10.96.0.10, queryName: a.example}}}";
    assertThat(read("", annotation).complaints())
        .containsExactly(
            FIELD
                + "web.readiness.dns.host: Forbidden: the policy for this namespace allows only"
                + " the pod's own address (without host) (hosts)");
    String allowed = "policy: {namespaces: [{names: [shop], hosts: [pod, 10.96.0.10]}]}";
    assertThat(read(allowed, annotation).problems()).isEmpty();
  }

  @Test
  @DisplayName("a pod may only lower what follows from failures and where probes come from")
  void choices() {
    String observe = "enforcement: {mode: observe}\nprobes: {sources: [annotation]}\n";
    String asks = "probelet.io/enforcement: enforce\nprobelet.io/probe-sources: spec,annotation";
    assertThat(read(observe, "web: {}", asks).complaints())
        .containsExactlyInAnyOrder(
            "metadata.annotations[probelet.io/enforcement]: Forbidden: the policy for this"
                + " namespace allows no more than observe (enforcement)",
            "metadata.annotations[probelet.io/probe-sources]: Forbidden: the policy for this"
                + " namespace allows only probes from annotation (sources)");
    assertThat(read(observe + TRUSTED, "web: {}", asks).problems()).isEmpty();
    assertThat(
            read("", "web: {}", "probelet.io/enforcement: observe\nprobelet.io/probe-sources: none")
                .problems())
        .isEmpty();
  }
}
