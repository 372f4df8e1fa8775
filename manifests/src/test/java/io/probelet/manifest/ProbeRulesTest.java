package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.TlsOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Probes are validated and completed exactly as the API server does it (P-1 to P-17). */
class ProbeRulesTest {

  private static final String EXEC = "exec: {command: [ls]}";

  @DisplayName("a probe's numbers out of range")
  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "P-1|livenessProbe|initialDelaySeconds: -1|initialDelaySeconds: Invalid value: -1: must be"
            + " greater than or equal to 0",
        "P-2|livenessProbe|periodSeconds: -10|periodSeconds: Invalid value: -10: must be greater"
            + " than or equal to 0",
        "P-3|readinessProbe|timeoutSeconds: -1|timeoutSeconds: Invalid value: -1: must be greater"
            + " than or equal to 0",
        "P-4|readinessProbe|successThreshold: -1|successThreshold: Invalid value: -1: must be"
            + " greater than or equal to 0",
        "P-4|livenessProbe|successThreshold: 2|successThreshold: Invalid value: 2: must be 1",
        "P-4|startupProbe|successThreshold: 2|successThreshold: Invalid value: 2: must be 1",
        "P-5|startupProbe|failureThreshold: -1|failureThreshold: Invalid value: -1: must be greater"
            + " than or equal to 0",
        "P-6|livenessProbe|terminationGracePeriodSeconds: 0|terminationGracePeriodSeconds: Invalid"
            + " value: 0: must be greater than 0",
        "P-6|readinessProbe|terminationGracePeriodSeconds: 10|terminationGracePeriodSeconds:"
            + " Invalid value: 10: must not be set for readinessProbes",
        "P-2|livenessProbe|periodSeconds: 10s|periodSeconds: Invalid value: \"10s\": must be an"
            + " integer",
        "P-2|livenessProbe|periodSeconds: \"10\"|periodSeconds: Invalid value: \"10\": must be an"
            + " integer",
        "P-2|livenessProbe|periodSeconds: 1.5|periodSeconds: Invalid value: 1.5: must be a whole"
            + " number of at most 32 bits",
        "P-2|livenessProbe|periodSeconds: 3000000000|periodSeconds: Invalid value: 3000000000: must"
            + " be a whole number of at most 32 bits",
        "P-2|livenessProbe|periodSeconds: [10]|periodSeconds: Invalid value: […]: must be an"
            + " integer",
        "P-2|livenessProbe|periodSeconds: true|periodSeconds: Invalid value: true: must be an"
            + " integer",
      })
  void numbers(String rule, String kind, String line, String complaint) {
    Reading reading = Reading.ofContainer(kind + ":\n  " + EXEC + "\n  " + line);
    assertThat(reading.complaints()).containsExactly(kind + "." + complaint);
    assertThat(reading.pods()).isEmpty();
  }

  @Test
  @DisplayName("P-1 to P-6: all numbers of a liveness probe wrong gives seven errors")
  void allNumbersWrong() {
    Reading reading =
        Reading.ofContainer(
            """
            livenessProbe:
              exec: {command: [ls]}
              initialDelaySeconds: -1
              timeoutSeconds: -1
              periodSeconds: -1
              successThreshold: -1
              failureThreshold: -1
              terminationGracePeriodSeconds: -1
            """);
    assertThat(reading.lines())
        .containsExactly(
            error(
                11,
                28,
                "initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0"),
            error(12, 23, "timeoutSeconds: Invalid value: -1: must be greater than or equal to 0"),
            error(13, 22, "periodSeconds: Invalid value: -1: must be greater than or equal to 0"),
            error(
                14, 25, "successThreshold: Invalid value: -1: must be greater than or equal to 0"),
            error(14, 25, "successThreshold: Invalid value: -1: must be 1"),
            error(
                15, 25, "failureThreshold: Invalid value: -1: must be greater than or equal to 0"),
            error(
                16,
                38,
                "terminationGracePeriodSeconds: Invalid value: -1: must be greater than 0"));
  }

  private static String error(int line, int column, String complaint) {
    return "%d:%d: error: document 1: spec.containers[0].livenessProbe.%s"
        .formatted(line, column, complaint);
  }

  @DisplayName("a handler that breaks a rule")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "P-7|{}|livenessProbe: Required value: must specify a handler type",
        "P-7|{exec: null}|livenessProbe: Required value: must specify a handler type",
        "P-7|{httpGet: {port: 80}, tcpSocket: {port: -5}}|livenessProbe.tcpSocket: Forbidden: may"
            + " not specify more than 1 handler type",
        "P-7|{httpGet: {port: 80}, exec: {command: [ls]}}|livenessProbe.httpGet: Forbidden: may not"
            + " specify more than 1 handler type",
        "P-7|[]|livenessProbe: Invalid value: []: must be an object",
        "P-8|{exec: {}}|livenessProbe.exec.command: Required value: the command to run, at least"
            + " one entry",
        "P-8|{exec: {command: []}}|livenessProbe.exec.command: Required value: the command to run,"
            + " at least one entry",
        "P-8|{exec: {command: ls}}|livenessProbe.exec.command: Invalid value: \"ls\": must be a"
            + " list",
        "P-8|{exec: {command: [sleep, 5]}}|livenessProbe.exec.command[1]: Invalid value: 5: must be"
            + " a string; put it in quotes",
        "P-10|{httpGet: {port: 80, scheme: http}}|livenessProbe.httpGet.scheme: Unsupported value:"
            + " \"http\": supported values: \"HTTP\", \"HTTPS\"",
        "P-11|{httpGet: {}}|livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and"
            + " 65535, inclusive",
        "P-11|{tcpSocket: {}}|livenessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and"
            + " 65535, inclusive",
        "P-11|{tcpSocket: {port: 65536}}|livenessProbe.tcpSocket.port: Invalid value: 65536: must"
            + " be between 1 and 65535, inclusive",
        "P-11|{tcpSocket: {port: abcdefghijklmnop}}|livenessProbe.tcpSocket.port: Invalid value:"
            + " \"abcdefghijklmnop\": must be no more than 15 characters",
        "P-11|{tcpSocket: {port: Http}}|livenessProbe.tcpSocket.port: Invalid value: \"Http\": must"
            + " contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        "P-11|{tcpSocket: {port: \"8080\"}}|livenessProbe.tcpSocket.port: Invalid value:"
            + " \"8080\": must contain at least one letter (a-z); write a port number without"
            + " quotes",
        "P-11|{tcpSocket: {port: a--b}}|livenessProbe.tcpSocket.port: Invalid value: \"a--b\": must"
            + " not contain consecutive hyphens",
        "P-11|{tcpSocket: {port: ab-}}|livenessProbe.tcpSocket.port: Invalid value: \"ab-\": must"
            + " not begin or end with a hyphen",
        "P-11|{tcpSocket: {port: true}}|livenessProbe.tcpSocket.port: Invalid value: true: must be"
            + " a number or the name of a port",
        "P-12|{httpGet: {port: 80, httpHeaders: [{name: \"Host:\", value: x}]}}|"
            + "livenessProbe.httpGet.httpHeaders[0].name: Invalid value: \"Host:\": must be a"
            + " header name: letters, digits and !#$%&'*+-.^_`¦~",
        "P-12|{httpGet: {port: 80, httpHeaders: [{value: x}]}}|"
            + "livenessProbe.httpGet.httpHeaders[0].name: Required value: the header's name",
        "P-12|{httpGet: {port: 80, httpHeaders: [{name: A, value: 1}]}}|"
            + "livenessProbe.httpGet.httpHeaders[0].value: Invalid value: must be a string; put"
            + " it in quotes",
        "P-13|{grpc: {}}|livenessProbe.grpc.port: Invalid value: 0: must be between 1 and 65535,"
            + " inclusive",
        "P-13|{grpc: {port: http}}|livenessProbe.grpc.port: Invalid value: \"http\": must be an"
            + " integer; a grpc port has no name",
        "P-14|{grpc: {port: 1, service: 5}}|livenessProbe.grpc.service: Invalid value: 5: must be a"
            + " string; put it in quotes",
        "P-27|{httpGet: {port: 80, protocol: h2c}}|livenessProbe.httpGet.protocol: Unsupported"
            + " value: \"h2c\": supported values: \"HTTP1\", \"HTTP2\"",
        "P-27|{httpGet: {port: 80, protocol: HTTP2, scheme: HTTPS}}|livenessProbe.httpGet.protocol:"
            + " Forbidden: protocol HTTP2 needs scheme HTTP; with HTTPS the server chooses",
        "P-27|{httpGet: {port: 80, protocol: HTTP2, host: a}}|livenessProbe.httpGet.host: Forbidden:"
            + " may not be set with protocol HTTP2",
        "P-26|{grpc: {port: 1, mode: tls}}|livenessProbe.grpc.mode: Unsupported value: \"tls\":"
            + " supported values: \"Plaintext\", \"TLS\"",
        "P-15|{tcpSocket: {port: 1, host: 5}}|livenessProbe.tcpSocket.host: Invalid value: 5: must"
            + " be a string; put it in quotes",
      })
  void handlers(String rule, String probe, String complaint) {
    Reading reading = Reading.ofContainer("livenessProbe: " + probe);
    assertThat(reading.complaints()).containsExactly(complaint.replace("¦", "|"));
    assertThat(reading.pods()).isEmpty();
  }

  @Test
  @DisplayName("P-11 an empty port name breaks two rules")
  void emptyPortName() {
    assertThat(Reading.ofContainer("livenessProbe: {httpGet: {port: \"\"}}").complaints())
        .containsExactly(
            "livenessProbe.httpGet.port: Invalid value: \"\": must contain only alpha-numeric"
                + " characters (a-z, 0-9), and hyphens (-)",
            "livenessProbe.httpGet.port: Invalid value: \"\": must contain at least one letter"
                + " (a-z)");
  }

  @Test
  @DisplayName("P-7 a second and third handler are forbidden, each at its own path")
  void threeHandlers() {
    assertThat(
            Reading.ofContainer(
                    "readinessProbe: {exec: {command: [x]}, tcpSocket: {port: 1}, grpc: {port: 1}}")
                .complaints())
        .containsExactly(
            "readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type",
            "readinessProbe.grpc: Forbidden: may not specify more than 1 handler type");
  }

  @DisplayName("P-1 to P-5 what is left out, null or zero gets the API server's default")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''",
        "initialDelaySeconds: 0, periodSeconds: 0, timeoutSeconds: 0, successThreshold: 0,"
            + " failureThreshold: 0",
        "periodSeconds: null, timeoutSeconds: ~",
      })
  void defaults(String fields) {
    ProbeSpec probe =
        Reading.ofContainer("livenessProbe: {exec: {command: [ls]}, " + fields + "}")
            .probe(ProbeKind.LIVENESS);
    assertThat(probe).isEqualTo(ProbeSpec.of(new ProbeHandler.Exec(List.of("ls"))).build());
    assertThat(probe.period()).isEqualTo(Duration.ofSeconds(10));
    assertThat(probe.timeout()).isEqualTo(Duration.ofSeconds(1));
    assertThat(probe.failureThreshold()).isEqualTo(3);
  }

  @Test
  @DisplayName("P-1 to P-6 what is given is kept")
  void given() {
    ProbeSpec probe =
        Reading.ofContainer(
                "readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 5, periodSeconds: 7,"
                    + " timeoutSeconds: 9, successThreshold: 2, failureThreshold: 4}")
            .probe(ProbeKind.READINESS);
    assertThat(probe)
        .isEqualTo(
            ProbeSpec.of(new TcpSocket(new Port.Numeric(80), null))
                .initialDelay(Duration.ofSeconds(5))
                .period(Duration.ofSeconds(7))
                .timeout(Duration.ofSeconds(9))
                .successThreshold(2)
                .failureThreshold(4)
                .build());
    assertThat(
            Reading.ofContainer(
                    "livenessProbe: {tcpSocket: {port: 80}, terminationGracePeriodSeconds: "
                        + Long.MAX_VALUE
                        + "}")
                .probe(ProbeKind.LIVENESS)
                .terminationGracePeriod()
                .toNanos())
        .as("a grace period without end is cut to what can be counted")
        .isPositive();
  }

  @Test
  @DisplayName("P-9 P-10 P-12 P-15 the parts of httpGet, and their defaults")
  void httpGet() {
    assertThat(http("port: http, path: \"\", scheme: \"\", host: \"\""))
        .isEqualTo(new HttpGet(new Port.Named("http"), "/"));
    HttpGet full =
        http(
            "port: 443, path: \"/x?y\", scheme: HTTPS, host: \"::1\", httpHeaders: [{name: A, value: b},"
                + " {name: A, value: \"\"}, {name: B}]");
    assertThat(full.path()).isEqualTo("/x?y");
    assertThat(full.scheme()).isEqualTo(Scheme.HTTPS);
    assertThat(full.host()).isEqualTo("::1");
    assertThat(full.headers())
        .containsExactly(
            new HttpHeader("A", "b"), new HttpHeader("A", ""), new HttpHeader("B", ""));
  }

  private static HttpGet http(String fields) {
    return (HttpGet)
        Reading.ofContainer("livenessProbe: {httpGet: {" + fields + "}}")
            .probe(ProbeKind.LIVENESS)
            .handler();
  }

  @Test
  @DisplayName("P-13 P-14 the parts of grpc")
  void grpc() {
    assertThat(
            Reading.ofContainer("livenessProbe: {grpc: {port: 9090, service: my.Service}}")
                .probe(ProbeKind.LIVENESS)
                .handler())
        .isEqualTo(new Grpc(9090, "my.Service", null));
  }

  @Test
  @DisplayName("P-26 mode TLS is honored, without verification as in Kubernetes")
  void grpcOverTls() {
    assertThat(
            Reading.ofContainer("livenessProbe: {grpc: {port: 9090, mode: TLS}}")
                .probe(ProbeKind.LIVENESS)
                .handler())
        .isEqualTo(new Grpc(9090, "", TlsOptions.INSECURE));
    assertThat(
            Reading.ofContainer("livenessProbe: {grpc: {port: 9090, mode: Plaintext}}")
                .probe(ProbeKind.LIVENESS)
                .handler())
        .isEqualTo(new Grpc(9090, "", null));
  }

  @Test
  @DisplayName("P-27 P-28 HTTP/2 in a spec is Kubernetes', another method is an unknown field")
  void protocolAndMethod() {
    assertThat(http("port: 80, protocol: HTTP2").protocol()).isEqualTo(Protocol.HTTP2);
    assertThat(http("port: 80, protocol: HTTP1").protocol()).isEqualTo(Protocol.HTTP1);
    Reading reading = Reading.ofContainer("livenessProbe: {httpGet: {port: 80, method: POST}}");
    assertThat(reading.complaints()).containsExactly("livenessProbe.httpGet.method: unknown field");
    assertThat(((HttpGet) handler(reading)).method()).isEqualTo(Method.GET);
  }

  /** Of a pod with warnings. */
  private static ProbeHandler handler(Reading reading) {
    return reading
        .pods()
        .getFirst()
        .probed()
        .containers()
        .getFirst()
        .probes()
        .get(ProbeKind.LIVENESS)
        .handler();
  }

  @Test
  @DisplayName("P-26 an authority in a spec is an unknown field, as Kubernetes has none")
  void authorityInSpec() {
    Reading reading =
        Reading.ofContainer("livenessProbe: {grpc: {port: 9090, authority: a.example}}");
    assertThat(reading.complaints()).containsExactly("livenessProbe.grpc.authority: unknown field");
    assertThat(handler(reading)).isEqualTo(new Grpc(9090, "", null));
  }

  @Test
  @DisplayName("P-12 a header name that a cluster refuses is refused")
  void headerNameWithUnderscore() {
    Reading reading =
        Reading.ofContainer(
            "livenessProbe: {httpGet: {port: 80, httpHeaders: [{name: X_Y, value: z}]}}");
    assertThat(reading.pods()).isEmpty();
    assertThat(reading.complaints())
        .containsExactly(
            "livenessProbe.httpGet.httpHeaders[0].name: Invalid value: \"X_Y\": must consist"
                + " of letters, digits and '-'");
  }

  @Test
  @DisplayName("P-16 sidecars may have probes, other init containers may not")
  void initContainers() {
    String pod =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: test}
        spec:
          initContainers:
          - {name: first, command: [a], %s livenessProbe: {grpc: {port: 0}}, lifecycle: {}}
          containers:
          - {name: web, command: [b]}
        """;
    assertThat(Reading.of(pod.formatted("")).complaints())
        .containsExactly(
            "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers"
                + " without restartPolicy=Always",
            "spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers"
                + " without restartPolicy=Always");
    assertThat(Reading.of(pod.formatted("restartPolicy: Always,")).complaints())
        .containsExactly(
            "spec.initContainers[0].livenessProbe.grpc.port: Invalid value: 0: must be between 1"
                + " and 65535, inclusive");
    var valid = pod.formatted("restartPolicy: Always,").replace("port: 0", "port: 1");
    assertThat(Reading.of(valid).pod().probed().containers())
        .extracting(container -> container.name() + " " + container.sidecar())
        .containsExactly("first true", "web false");
  }

  @Test
  @DisplayName("P-17 a port name that the container lacks is a warning, for it is never a failure")
  void portNameNotFound() {
    Reading reading = Reading.ofContainer("livenessProbe: {httpGet: {port: htp}}");
    assertThat(reading.pods()).hasSize(1);
    assertThat(reading.complaints())
        .containsExactly(
            "livenessProbe.httpGet.port: the container has no port named \"htp\", so the probe"
                + " cannot run");
  }

  @Test
  void aMisspeltFieldIsAWarningThatGuesses() {
    Reading reading =
        Reading.ofContainer(
            """
            livenesProbe: {}
            resources: {}
            readinessProbe:
              httpget: {port: 80}
              tcpSocket: {port: 80, path: /}
              perioSeconds: 5
            """);
    assertThat(reading.pods()).hasSize(1);
    assertThat(reading.lines())
        .containsExactly(
            "9:5: warning: document 1: spec.containers[0].livenesProbe: unknown field; did you mean"
                + " \"livenessProbe\"?",
            "12:7: warning: document 1: spec.containers[0].readinessProbe.httpget: unknown field;"
                + " did you mean \"httpGet\"?",
            "13:29: warning: document 1: spec.containers[0].readinessProbe.tcpSocket.path: unknown"
                + " field",
            "14:7: warning: document 1: spec.containers[0].readinessProbe.perioSeconds: unknown"
                + " field; did you mean \"periodSeconds\"?");
  }
}
