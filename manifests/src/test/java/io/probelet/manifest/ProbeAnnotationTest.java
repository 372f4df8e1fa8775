package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.dns.DnsType;
import io.probelet.manifest.pod.Mode;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.HttpExpectation.HeaderRule;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Icmp;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins;
import io.probelet.probe.ProbeOrigins.Origin;
import io.probelet.probe.ProbeOrigins.Value;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.TlsOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The annotation probelet.io/probes refines probes and adds some; every mistake is an error. */
class ProbeAnnotationTest {

  private static final String PROBES =
      """
      livenessProbe: {httpGet: {port: http, path: /live, scheme: HTTPS}, periodSeconds: 20}
      readinessProbe: {grpc: {port: 9090}, successThreshold: 2}
      """;

  private static Reading read(String annotation) {
    return read(annotation, PROBES, Mode.STANDALONE_PROCESS);
  }

  private static Reading read(String annotation, String probes, Mode mode) {
    return Reading.of(
        Reading.pod(probes)
            .replace(
                "metadata: {name: test}",
                "metadata:\n  name: test\n  annotations:\n    probelet.io/probes: |\n"
                    + annotation.indent(6).stripTrailing()),
        mode);
  }

  @Test
  @DisplayName("P-18 durations, and what is not said stays as the manifest has it")
  void timing() {
    ProbeSpec probe =
        read("""
        web:
          liveness:
            period: 250ms
            timeout: 100ms
            failingPeriod: 100ms
            initialDelay: 1.5s
            jitter: 50ms
            failureThreshold: 5
            terminationGracePeriod: 2m
            throttleHold: 30s
        """)
            .probe(ProbeKind.LIVENESS);
    assertThat(probe.handler())
        .isEqualTo(read("web: {}").probe(ProbeKind.LIVENESS).handler())
        .isInstanceOf(HttpGet.class);
    assertThat(probe)
        .isEqualTo(
            ProbeSpec.of(probe.handler())
                .period(Duration.ofMillis(250))
                .timeout(Duration.ofMillis(100))
                .failingPeriod(Duration.ofMillis(100))
                .initialDelay(Duration.ofMillis(1500))
                .jitter(Duration.ofMillis(50))
                .failureThreshold(5)
                .terminationGracePeriod(Duration.ofMinutes(2))
                .throttleHold(Duration.ofSeconds(30))
                .build());
    ProbeSpec readiness =
        read("web: {readiness: {timeout: 3s, recoveryTime: 30s}}").probe(ProbeKind.READINESS);
    assertThat(readiness.recoveryTime()).isEqualTo(Duration.ofSeconds(30));
    assertThat(readiness.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(readiness.successThreshold()).isEqualTo(2);
    assertThat(readiness.period()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  @DisplayName("D-23 a failure restarts the pod where this program starts its containers")
  void onFailure() {
    String pod = "web: {liveness: {onFailure: pod}}";
    assertThat(read(pod).probe(ProbeKind.LIVENESS).restartsPod()).isTrue();
    assertThat(read("web: {liveness: {onFailure: container}}").probe(ProbeKind.LIVENESS))
        .returns(false, ProbeSpec::restartsPod);
    assertThat(read("web: {liveness: {}}").probe(ProbeKind.LIVENESS).restartsPod()).isFalse();
    Reading cluster = read(pod, PROBES, Mode.PROBES_ONLY);
    assertThat(cluster.complaints())
        .containsExactly(
            "metadata.annotations[probelet.io/probes].web.liveness.onFailure: has no effect: only"
                + " this container is restarted; in a cluster use a rule in restartPolicyRules with"
                + " action RestartAllContainers for exit codes 137 and 143");
    assertThat(cluster.pods().getFirst().probed().containers().getFirst().probes())
        .extractingByKey(ProbeKind.LIVENESS)
        .returns(false, ProbeSpec::restartsPod);
  }

  @Test
  @DisplayName("D-24 a command before the kill takes from what a pod may have, as a probe's does")
  void preKill() {
    ProbeSpec liveness =
        read("web: {liveness: {preKill: {exec: {command: [jcmd, '1', Thread.print]}}}}")
            .probe(ProbeKind.LIVENESS);
    assertThat(liveness.preKill()).containsExactly("jcmd", "1", "Thread.print");
    assertThat(liveness.origins().of(Value.PRE_KILL)).isEqualTo(Origin.ANNOTATION);
    String words = String.join(", ", Collections.nCopies(257, "x"));
    assertThat(
            read("web: {liveness: {preKill: {exec: {command: [%s]}}}}".formatted(words))
                .complaints())
        .singleElement()
        .asString()
        .endsWith(
            "web.liveness.preKill.exec: Forbidden: annotations of a pod may have at most 256 words"
                + " of commands");
  }

  @Test
  void aProbeTheManifestLacksIsAdded() {
    ProbeSpec probe = read("web: {startup: {tcpSocket: {port: http}}}").probe(ProbeKind.STARTUP);
    assertThat(probe).isEqualTo(ProbeSpec.of(new TcpSocket(new Port.Named("http"), null)).build());
  }

  @Test
  void eachValueKnowsWhereItComesFrom() {
    ProbeOrigins refined =
        read("web: {readiness: {timeout: 3s}}").probe(ProbeKind.READINESS).origins();
    assertThat(refined.of(Value.TIMEOUT)).isEqualTo(Origin.ANNOTATION);
    assertThat(refined.of(Value.HANDLER)).isEqualTo(Origin.SPEC);
    assertThat(refined.of(Value.SUCCESS_THRESHOLD)).isEqualTo(Origin.SPEC);
    assertThat(refined.of(Value.FAILURE_THRESHOLD)).isEqualTo(Origin.DEFAULT);
    ProbeOrigins added =
        read("web: {startup: {tcpSocket: {port: http}, jitter: 1s}}")
            .probe(ProbeKind.STARTUP)
            .origins();
    assertThat(added.of(Value.HANDLER)).isEqualTo(Origin.ANNOTATION);
    assertThat(added.of(Value.JITTER)).isEqualTo(Origin.ANNOTATION);
    assertThat(added.of(Value.PERIOD)).isEqualTo(Origin.DEFAULT);
    assertThat(added.of(Value.PROFILE)).isEqualTo(Origin.DEFAULT);
  }

  @Test
  void aHandlerReplacesTheManifests() {
    ProbeSpec probe = read("web: {liveness: {exec: {command: [ls]}}}").probe(ProbeKind.LIVENESS);
    assertThat(probe.handler()).isEqualTo(new Exec(List.of("ls")));
    assertThat(probe.period()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void expectations() throws Exception {
    HttpGet http =
        (HttpGet)
            read("""
            web:
              liveness:
                expect:
                  statuses: [204, 200-202, 204]
                  body:
                    contains: [ok, fine]
                    matches: ^{"status"
                    json:
                    - {pointer: /status, equals: UP}
                    - {pointer: /checks/0, equals: {n: 1, x: [true, 1.5, null]}}
                    - {pointer: "", equals: null}
            """)
                .probe(ProbeKind.LIVENESS)
                .handler();
    assertThat(http.path()).isEqualTo("/live");
    HttpExpectation expectation = http.expectation();
    assertThat(expectation.statuses()).containsExactly(200, 201, 202, 204);
    assertThat(expectation.body()).hasSize(6);
    assertThat(expectation.body().subList(0, 2))
        .containsExactly(new BodyRule.Contains("ok"), new BodyRule.Contains("fine"));
    assertThat(((BodyRule.Matches) expectation.body().get(2)).pattern().pattern())
        .isEqualTo("^{\"status\"");
    JsonNode checks = new ObjectMapper().readTree("{\"n\":1,\"x\":[true,1.5,null]}");
    assertThat((BodyRule.JsonEquals) expectation.body().get(4))
        .satisfies(rule -> assertThat(rule.pointer()).isEqualTo(JsonPointer.compile("/checks/0")))
        .satisfies(rule -> assertThat(rule.expected().toString()).isEqualTo(checks.toString()));
    assertThat(((BodyRule.JsonEquals) expectation.body().get(5)).expected().isNull()).isTrue();
  }

  @Test
  void tlsVerifiesUnlessToldNotTo(@TempDir Path files) throws Exception {
    for (String name : List.of("ca.pem", "cert.pem", "key.pem")) {
      Files.createFile(files.resolve(name));
    }
    Reading reading =
        read(
            """
            web:
              liveness:
                tls: {caFile: %1$s/ca.pem, serverName: web.test, certFile: %1$s/cert.pem, keyFile: %1$s/key.pem}
              readiness:
                tls: {verify: false, serverName: x}
            """
                .formatted(files));
    assertThat(((HttpGet) reading.probe(ProbeKind.LIVENESS).handler()).tls())
        .isEqualTo(
            new TlsOptions(
                true,
                new CaCertificates.InFile(files.resolve("ca.pem")),
                "web.test",
                files.resolve("cert.pem"),
                files.resolve("key.pem")));
    assertThat(reading.probe(ProbeKind.READINESS).handler())
        .isEqualTo(new Grpc(9090, "", new TlsOptions(false, null, "x", null, null)));
    assertThat(((HttpGet) read("web: {liveness: {tls: {}}}").probe(ProbeKind.LIVENESS).handler()))
        .extracting(handler -> handler.tls().verify())
        .isEqualTo(true);
  }

  @Test
  void handlersCombineAndNest() {
    ProbeHandler handler =
        read("""
        web:
          liveness:
            allOf:
            - tcpSocket: {port: 1}
            - anyOf:
              - exec: {command: [a]}
              - httpGet: {port: 2}
                expect: {statuses: 204}
              - grpc: {port: 3}
                tls: {verify: false}
        """)
            .probe(ProbeKind.LIVENESS)
            .handler();
    HttpGet http = new HttpGet(new Port.Numeric(2), "/");
    assertThat(handler)
        .isEqualTo(
            new AllOf(
                List.of(
                    new TcpSocket(new Port.Numeric(1), null),
                    new AnyOf(
                        List.of(
                            new Exec(List.of("a")),
                            new HttpGet(
                                http.port(),
                                null,
                                "/",
                                http.scheme(),
                                List.of(),
                                TlsOptions.INSECURE,
                                new HttpExpectation(List.of(204), List.of())),
                            new Grpc(3, "", TlsOptions.INSECURE))))));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "we: {}|we: the pod has no container of this name; did you mean \"web\"?",
        "web: {livenessProbe: {}}|web.livenessProbe: unknown field; did you mean \"liveness\"?",
        "web: []|web: Invalid value: []: must be an object",
        "web|: Invalid value: \"web\": must be an object",
        "web: {startup: {period: 1s}}|web.startup: Required value: must specify a handler, as there"
            + " is no startupProbe",
        "web: {liveness: {periodSeconds: 1}}|web.liveness.periodSeconds: unknown field; did you"
            + " mean \"period\"?",
        "web: {liveness: {period: 99ms}}|web.liveness.period: Invalid value: \"99ms\": must be at"
            + " least 100ms",
        "web: {liveness: {timeout: 0}}|web.liveness.timeout: Invalid value: 0: must be a duration"
            + " with a unit, such as 250ms, 1.5s or 2m",
        "web: {liveness: {timeout: 1 s}}|web.liveness.timeout: Invalid value: \"1 s\": must be a"
            + " duration such as 250ms, 1.5s or 2m",
        "web: {liveness: {timeout: 99ms}}|web.liveness.timeout: Invalid value: \"99ms\": must be at"
            + " least 100ms",
        "web: {liveness: {failingPeriod: 30s}}|web.liveness.failingPeriod: Invalid value: \"30s\":"
            + " must not be longer than the period, 20s",
        "web: {liveness: {failingPeriod: 1ms}}|web.liveness.failingPeriod: Invalid value: \"1ms\":"
            + " must be at least 100ms",
        "web: {liveness: {initialDelay: -1s}}|web.liveness.initialDelay: Invalid value: \"-1s\":"
            + " must be at least 0s",
        "web: {liveness: {jitter: 21s}}|web.liveness.jitter: Invalid value: \"21s\": must not be"
            + " longer than the period, 20s",
        "web: {liveness: {successThreshold: 2}}|web.liveness.successThreshold: Invalid value: 2:"
            + " must be 1",
        "web: {liveness: {failureThreshold: 0}}|web.liveness.failureThreshold: Invalid value: 0:"
            + " must be greater than or equal to 1",
        "web: {liveness: {terminationGracePeriod: 0s}}|web.liveness.terminationGracePeriod: Invalid"
            + " value: \"0s\": must be greater than 0",
        "web: {readiness: {recoveryTime: 61m}}|web.readiness.recoveryTime: Invalid value: \"61m\":"
            + " must be from 0s to 1h0m0s",
        "web: {readiness: {recoveryTime: -1s}}|web.readiness.recoveryTime: Invalid value: \"-1s\":"
            + " must be from 0s to 1h0m0s",
        "web: {liveness: {recoveryTime: 1s}}|web.liveness.recoveryTime: Invalid value: \"1s\":"
            + " may be set for readiness only",
        "web: {liveness: {throttleHold: 61m}}|web.liveness.throttleHold: Invalid value: \"61m\":"
            + " must be from 0s to 1h0m0s",
        "web: {liveness: {throttleHold: -1s}}|web.liveness.throttleHold: Invalid value: \"-1s\":"
            + " must be from 0s to 1h0m0s",
        "web: {liveness: {preKill: {}}}|web.liveness.preKill: Required value: must specify exec",
        "web: {liveness: {preKill: {exec: {command: []}}}}|web.liveness.preKill.exec.command:"
            + " Required value: the command to run, at least one entry",
        "web: {liveness: {preKill: {exec: {command: [x]}, signal: QUIT}}}|"
            + "web.liveness.preKill.signal: unknown field",
        "web: {readiness: {preKill: {exec: {command: [x]}}}}|web.readiness.preKill: Forbidden: must"
            + " not be set for readiness",
        "web: {liveness: {onFailure: node}}|web.liveness.onFailure: Unsupported value: \"node\":"
            + " supported values: \"container\", \"pod\"",
        "web: {readiness: {onFailure: container}}|web.readiness.onFailure: Invalid value:"
            + " \"container\": must not be set for readiness",
        "web: {readiness: {throttleHold: 1s}}|web.readiness.throttleHold: Invalid value: \"1s\":"
            + " must not be set for readiness",
        "web: {readiness: {terminationGracePeriod: 1s}}|web.readiness.terminationGracePeriod:"
            + " Invalid value: \"1s\": must not be set for readiness",
        "web: {liveness: {httpGet: {port: 1}, allOf: []}}|web.liveness.allOf: Forbidden: may not"
            + " specify more than 1 handler type",
        "web: {liveness: {httpGet: {port: 1, pth: /}}}|web.liveness.httpGet.pth: unknown field; did"
            + " you mean \"path\"?",
        "web: {liveness: {allOf: []}}|web.liveness.allOf: Invalid value: []: must have 1 to 16"
            + " handlers",
        "web: {liveness: {anyOf: [{}]}}|web.liveness.anyOf[0]: Required value: must specify a"
            + " handler type",
        "web: {liveness: {anyOf: [null]}}|web.liveness.anyOf[0]: Required value: must specify a"
            + " handler type",
        "web: {liveness: {anyOf: [{grpc: {port: 1}, period: 1s}]}}|web.liveness.anyOf[0].period:"
            + " unknown field",
        "web: {liveness: {anyOf: [{allOf: [{allOf: [{allOf: []}]}]}]}}|"
            + "web.liveness.anyOf[0].allOf[0].allOf[0].allOf: Invalid value: []: must not be nested"
            + " more than 3 levels deep",
        "web: {liveness: {anyOf: [{grpc: {port: 1}}], expect: {statuses:"
            + " 200}}}|web.liveness.expect: Forbidden: is only allowed with httpGet, not with"
            + " anyOf",
        "web: {liveness: {anyOf: [{grpc: {port: 1}}], tls: {}}}|web.liveness.tls: Forbidden:"
            + " is only allowed with httpGet, tcpSocket or grpc, not with anyOf",
        "web: {liveness: {httpGet: {port: 1}, tls: {}}}|web.liveness.tls: Forbidden: the httpGet"
            + " has scheme HTTP; tls needs scheme HTTPS",
        "web: {readiness: {expect: {statuses: 200}}}|web.readiness.expect: Forbidden: is only"
            + " allowed with httpGet, not with grpc",
        "web: {liveness: {expect: {}}}|web.liveness.expect: Required value: must specify statuses,"
            + " headers, body or cel",
        "web: {liveness: {expect: {statuses: []}}}|web.liveness.expect.statuses: Required value: at"
            + " least one status",
        "web: {liveness: {expect: {statuses: [600]}}}|web.liveness.expect.statuses[0]: Invalid"
            + " value: 600: must be a status from 100 to 599 or a range like 200-299",
        "web: {liveness: {expect: {statuses: 2xx}}}|web.liveness.expect.statuses: Invalid value:"
            + " \"2xx\": must be a status from 100 to 599 or a range like 200-299",
        "web: {liveness: {expect: {statuses: 299-200}}}|web.liveness.expect.statuses: Invalid"
            + " value: \"299-200\": must be an ascending range, such as 200-299",
        "web: {liveness: {expect: {body: {}}}}|web.liveness.expect.body: Required value: must"
            + " specify contains, notContains, matches or json",
        "web: {liveness: {expect: {body: {contains: \"\"}}}}|web.liveness.expect.body.contains:"
            + " Required value: the text to search for",
        "web: {liveness: {expect: {body: {matches: \"(\"}}}}|web.liveness.expect.body.matches:"
            + " Invalid value: \"(\": must be an RE2 regular expression: error parsing regexp:"
            + " missing closing ): `(`",
        "web: {liveness: {expect: {body: {matches: \"((a{100}){100}){100}\"}}}}|"
            + "web.liveness.expect.body.matches: Invalid value: \"((a{100}){100}){100}\": must be"
            + " smaller: its length times its repetition counts exceeds 10000",
        "web: {liveness: {expect: {body: {json: [{pointer: status, equals: 1}]}}}}|"
            + "web.liveness.expect.body.json[0].pointer: Invalid value: \"status\": must be a JSON"
            + " pointer such as /status or /checks/0/state",
        "web: {liveness: {expect: {body: {json: [{pointer: /s}]}}}}|"
            + "web.liveness.expect.body.json[0].equals: Required value: the value expected there,"
            + " possibly null",
        "web: {liveness: {expect: {body: {json: [{pointer: /s, equals:"
            + " .inf}]}}}}|web.liveness.expect.body.json[0].equals: Invalid value: .inf: must be"
            + " a JSON value",
        "web: {liveness: {expect: {body: {json: [{equals: 1}]}}}}|"
            + "web.liveness.expect.body.json[0].pointer: Required value: a JSON pointer such as"
            + " /status, or \"\" for the whole body",
        "web: {liveness: {tls: {caFile: nope.pem}}}|web.liveness.tls.caFile: Invalid value:"
            + " \"nope.pem\": no such file: /manifests/nope.pem",
        "web: {liveness: {tls: {caFile: /dev/null}}}|web.liveness.tls.caFile: Invalid value:"
            + " \"/dev/null\": no such file: /dev/null",
        "web: {liveness: {tls: {verify: no, caFile: /etc/passwd}}}|web.liveness.tls.caFile:"
            + " Forbidden: has no effect with verify: false",
        "web: {liveness: {tls: {verify: maybe}}}|web.liveness.tls.verify: Invalid value:"
            + " \"maybe\": must be true or false",
        "web: {liveness: {tls: {certFile: /etc/passwd}}}|web.liveness.tls.keyFile: Required"
            + " value: the private key for certFile",
        "web: {liveness: {tls: {keyFile: /etc/passwd}}}|web.liveness.tls.certFile: Required"
            + " value: the certificate for keyFile",
        "web: {liveness: {tls: {serverName: 10.0.0.1}}}|web.liveness.tls.serverName: Invalid value:"
            + " \"10.0.0.1\": must be a host name; IP addresses are never sent as server name",
        "web: {liveness: {httpGet: {port: 1, method: PUT}}}|web.liveness.httpGet.method: Unsupported"
            + " value: \"PUT\": supported values: \"GET\", \"HEAD\", \"POST\"",
        "web: {liveness: {httpGet: {port: 1, method: HEAD}, expect: {body: {contains: a}}}}|"
            + "web.liveness.expect: Forbidden: method HEAD has an answer without a body",
        "web: {liveness: {expect: {headers: [{contains: a}]}}}|web.liveness.expect.headers[0].name:"
            + " Required value: the header's name",
        "web: {liveness: {expect: {headers: [{name: A, value: b}]}}}|"
            + "web.liveness.expect.headers[0].value: unknown field",
        "web: {liveness: {expect: {headers: [null]}}}|web.liveness.expect.headers[0]: Required value:"
            + " a header with its name",
        "web: {liveness: {tcpSocket: {port: 1, queryResponse: [{}]}}}|"
            + "web.liveness.tcpSocket.queryResponse[0]: Required value: must specify expect,"
            + " expectBytes, send or starttls",
        "web: {liveness: {tcpSocket: {port: 1, queryResponse: [{send: \"\"}]}}}|"
            + "web.liveness.tcpSocket.queryResponse[0].send: Required value: a text",
        "web: {liveness: {tcpSocket: {port: 1, queryResponse: [{expect: \"(\"}]}}}|"
            + "web.liveness.tcpSocket.queryResponse[0].expect: Invalid value: \"(\": must be an RE2"
            + " regular expression: error parsing regexp: missing closing ): `(`",
        "web: {liveness: {tcpSocket: {port: 1, queryResponse: [{starttls: true}, {starttls:"
            + " true}]}}}|web.liveness.tcpSocket.queryResponse[1].starttls: Forbidden: TLS can begin"
            + " only once",
        "web: {liveness: {tcpSocket: {port: 1}, tls: {minValidity: 0s}}}|web.liveness.tls.minValidity:"
            + " Invalid value: \"0s\": must be above 0s, and at most 87600h0m0s",
        "web: {liveness: {httpGet: {port: 1, protocol: WebSocket, method: HEAD}}}|"
            + "web.liveness.httpGet.method: Forbidden: a WebSocket begins with GET",
        "web: {liveness: {httpGet: {port: 1, protocol: WebSocket}, expect: {statuses: 200}}}|"
            + "web.liveness.expect: Forbidden: with protocol WebSocket only headers can be expected",
        "web: {liveness: {tcpSocket: {port: 1, unixSocket: /run/a}}}|web.liveness.tcpSocket.port:"
            + " Forbidden: may not be set with unixSocket",
        "web: {liveness: {httpGet: {unixSocket: run/a}}}|web.liveness.httpGet.unixSocket: Invalid"
            + " value: \"run/a\": must be an absolute path of at most 107 bytes",
        "web: {liveness: {dns: {}}}|web.liveness.dns.queryName: Required value: the name to ask for;"
            + " \".\" for the root",
        "web: {liveness: {dns: {queryName: \"a b\"}}}|web.liveness.dns.queryName: Invalid value:"
            + " \"a b\": must be a DNS name of up to 253 characters",
        "web: {liveness: {dns: {queryName: a, answers: [b]}}}|web.liveness.dns.answers[0]: Invalid"
            + " value: \"b\": must be an address",
        "web: {liveness: {dns: {queryName: a, transportProtocol: quic}}}|"
            + "web.liveness.dns.transportProtocol: Unsupported value: \"quic\": supported values:"
            + " \"udp\", \"tcp\"",
        "web: {liveness: {dns: {queryName: a}, udpSocket: {port: 1, send: a}}}|"
            + "web.liveness.udpSocket: Forbidden: may not specify more than 1 handler type",
        "web: {liveness: {icmp: {port: 1}}}|web.liveness.icmp.port: unknown field",
        "web: {liveness: {udpSocket: {port: 1}}}|web.liveness.udpSocket.send: Required value: the"
            + " datagram to send",
        "web: {readiness: {grpc: {port: 1, mode: Plaintext}, tls: {}}}|web.readiness.tls:"
            + " Forbidden: the grpc has mode Plaintext; tls needs mode TLS, or none",
        "web: {readiness: {grpc: {port: 1, authority: \"a b\"}}}|web.readiness.grpc.authority:"
            + " Invalid value: \"a b\": must be a host name or address, and may have a port",
        "web: {liveness: {tls: {insecure: true}}}|web.liveness.tls.insecure: unknown field",
      })
  void mistakes(String annotation, String complaint) {
    Reading reading = read(annotation);
    String prefix = "metadata.annotations[probelet.io/probes]";
    assertThat(reading.problems())
        .extracting(problem -> problem.field() + ": " + problem.message())
        .containsExactly(prefix + (complaint.startsWith(":") ? "" : ".") + complaint);
    assertThat(reading.problems()).allMatch(problem -> problem.isError());
    assertThat(reading.pods()).isEmpty();
  }

  @Test
  @DisplayName("P-28 methods, rules for headers and texts that must not be there")
  void methodAndHeaders() {
    HttpGet http =
        (HttpGet)
            read("""
            web:
              liveness:
                httpGet: {port: 1, method: POST, protocol: HTTP2}
                expect:
                  headers:
                  - {name: X-State}
                  - {name: Content-Type, contains: json, notContains: [xml, html]}
                  body: {notContains: error}
            """)
                .probe(ProbeKind.LIVENESS)
                .handler();
    assertThat(http.method()).isEqualTo(Method.POST);
    assertThat(http.protocol()).isEqualTo(Protocol.HTTP2);
    assertThat(http.expectation())
        .isEqualTo(
            new HttpExpectation(
                List.of(),
                List.of(
                    new HeaderRule("x-state", null),
                    new HeaderRule("content-type", new BodyRule.Contains("json")),
                    new HeaderRule("content-type", new BodyRule.NotContains("xml")),
                    new HeaderRule("content-type", new BodyRule.NotContains("html"))),
                List.of(new BodyRule.NotContains("error"))));
  }

  @Test
  @DisplayName("P-34 a Unix socket has a path that the kernel takes")
  void unixSocket() {
    String path = "/" + "a".repeat(106);
    assertThat(
            read("web: {readiness: {httpGet: {unixSocket: " + path + "}}}")
                .probe(ProbeKind.READINESS)
                .handler())
        .isEqualTo(new HttpGet(new Port.UnixSocket(path), "/"));
    assertThat(read("web: {readiness: {httpGet: {unixSocket: " + path + "a}}}").problems())
        .hasSize(1);
  }

  @Test
  @DisplayName("P-33 a WebSocket, with a rule for a header")
  void webSocket() {
    HttpGet http =
        (HttpGet)
            read("web: {readiness: {httpGet: {port: 1, protocol: WebSocket}, expect: {headers:"
                    + " [{name: A}]}}}")
                .probe(ProbeKind.READINESS)
                .handler();
    assertThat(http.protocol()).isEqualTo(Protocol.WEBSOCKET);
    assertThat(http.expectation().headers()).containsExactly(new HeaderRule("a", null));
  }

  @Test
  @DisplayName("P-31 P-32 DNS and UDP: defaults, and answers in the form in which they are read")
  void datagrams() {
    assertThat(
            read("web: {readiness: {dns: {queryName: Shop.Example., queryType: MX, answers:"
                    + " [10 Mail.Example.]}}}")
                .probe(ProbeKind.READINESS)
                .handler())
        .isEqualTo(
            new Dns(
                new Port.Numeric(53),
                null,
                "shop.example",
                DnsType.MX,
                List.of("NOERROR"),
                List.of("10 mail.example"),
                false));
    assertThat(
            read("web: {readiness: {udpSocket: {port: 9, send: a, expectBytes: b}}}")
                .probe(ProbeKind.READINESS)
                .handler())
        .isEqualTo(
            new UdpSocket(new Port.Numeric(9), null, "a", List.of(new BodyRule.Contains("b"))));
  }

  @Test
  @DisplayName("P-42 ICMP has a host at most, by default the pod's address")
  void icmp() {
    assertThat(read("web: {readiness: {icmp: {}}}").probe(ProbeKind.READINESS).handler())
        .isEqualTo(new Icmp(null));
    assertThat(
            read("web: {readiness: {icmp: {host: 10.0.0.1}}}").probe(ProbeKind.READINESS).handler())
        .isEqualTo(new Icmp("10.0.0.1"));
  }

  @Test
  @DisplayName("P-29 P-30 a dialog has blackbox_exporter's names, order and line ends")
  void dialog() {
    TcpSocket tcp =
        (TcpSocket)
            read("""
            web:
              readiness:
                tcpSocket:
                  port: 25
                  queryResponse:
                  - {expect: "^220", send: EHLO probe}
                  - {expectBytes: STARTTLS, send: "STARTTLS\\r\\n"}
                  - {expect: "^220", starttls: true}
                tls: {verify: false, minValidity: 336h}
            """)
                .probe(ProbeKind.READINESS)
                .handler();
    Step ready = new Step.Expect(new BodyRule.Matches(BodyPattern.of("^220")));
    assertThat(tcp.dialog())
        .containsExactly(
            ready,
            new Step.Send("EHLO probe\n"),
            new Step.Expect(new BodyRule.Contains("STARTTLS")),
            new Step.Send("STARTTLS\r\n"),
            ready,
            Step.STARTTLS);
    assertThat(tcp.tls())
        .isEqualTo(new TlsOptions(false, null, null, null, null, Duration.ofDays(14)));
  }

  @Test
  @DisplayName("P-29 the bounds of a dialog: items, and characters of a text")
  void dialogBounds() {
    String items = String.join(", ", Collections.nCopies(17, "{send: a}"));
    assertThat(
            read("web: {liveness: {tcpSocket: {port: 1, queryResponse: [" + items + "]}}}")
                .problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).endsWith("must have at most 16 items"));
    String text = "a".repeat(1_025);
    assertThat(
            read("web: {liveness: {tcpSocket: {port: 1, queryResponse: [{send: " + text + "}]}}}")
                .problems())
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.message()).endsWith("must have at most 1024 characters"));
  }

  @Test
  @DisplayName("P-28 rules for headers count to the limit of the rules of a pod")
  void tooManyHeaderRules() {
    String rules =
        String.join(", ", IntStream.range(0, 65).mapToObj(i -> "{name: a" + i + "}").toList());
    assertThat(read("web: {liveness: {expect: {headers: [" + rules + "]}}}").problems())
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.message()).contains("may have at most 64 rules for"));
  }

  @Test
  void tooManyHandlersInOneProbe() {
    String parts =
        String.join(", ", IntStream.range(0, 17).mapToObj(i -> "{grpc: {port: 1}}").toList());
    assertThat(read("web: {liveness: {anyOf: [" + parts + "]}}").problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).endsWith("must have 1 to 16 handlers"));
  }

  @Test
  void mistakesAreFoundInTheLinesOfTheFile() {
    Reading reading = read("web:\n  liveness:\n    period: 1\n\n    perid: 2\n  oops: [\n");
    assertThat(reading.lines())
        .containsExactly(
            "12:7: error: document 1: metadata.annotations[probelet.io/probes]: is not YAML:"
                + " expected the node content, but found '<stream end>' while parsing a flow node");
    assertThat(read("web:\n  liveness:\n    period: 1\n\n    perid: 2").lines())
        .containsExactly(
            "9:19: error: document 1: metadata.annotations[probelet.io/probes].web.liveness.period:"
                + " Invalid value: 1: must be a duration with a unit, such as 250ms, 1.5s or 2m",
            "11:11: error: document 1: metadata.annotations[probelet.io/probes].web.liveness.perid:"
                + " unknown field; did you mean \"period\"?");
  }

  @Test
  void mistakesInTextWithEscapesAreFoundByLineWithinTheText() {
    String pod =
        Reading.pod(PROBES)
            .replace(
                "{name: test}",
                "{name: test, annotations: {probelet.io/probes: \"web:\\n  livenes: {}\"}}");
    assertThat(Reading.of(pod).lines())
        .containsExactly(
            "3:58: error: document 1: metadata.annotations[probelet.io/probes].web.livenes: unknown"
                + " field; did you mean \"liveness\"? (line 2, column 3 of the text)");
  }

  @Test
  void anAnnotationDoesNotHideMistakesOfTheManifest() {
    Reading reading =
        read(
            "web: {liveness: {period: 1s}, startup: {}}",
            "livenessProbe: {httpGet: {port: 0}}",
            Mode.STANDALONE_PROCESS);
    assertThat(reading.complaints())
        .containsExactly(
            "metadata.annotations[probelet.io/probes].web.startup: Required value: must specify a"
                + " handler, as there is no startupProbe",
            "livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive");
  }

  @Test
  @DisplayName("P-16 an init container that is no sidecar takes no probes by annotation either")
  void initContainers() {
    Reading reading =
        Reading.of(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: test
              annotations: {probelet.io/probes: "{i: {liveness: {}}, s: {liveness: {exec: {command: [a]}}}}"}
            spec:
              initContainers:
              - {name: i, command: [a]}
              - {name: s, command: [a], restartPolicy: Always}
              containers:
              - {name: web, command: [a]}
            """);
    assertThat(reading.complaints())
        .containsExactly(
            "metadata.annotations[probelet.io/probes].i: Forbidden: an init container needs"
                + " restartPolicy Always to have probes");
  }

  @Test
  void forProbingOnlyFilesAreOnTheNode() {
    Reading reading =
        read("web: {liveness: {tls: {caFile: /on/the/node.pem}}}", PROBES, Mode.PROBES_ONLY);
    assertThat(reading.problems()).isEmpty();
    assertThat(
            read("web: {liveness: {tls: {caFile: ca.pem}}}", PROBES, Mode.PROBES_ONLY).problems())
        .singleElement()
        .satisfies(problem ->
            assertThat(problem.message())
                .isEqualTo("Invalid value: \"ca.pem\": must be an absolute path, on the node"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"\"\"", "null", "\"# nothing\"", "\"{}\""})
  void anEmptyAnnotationChangesNothing(String value) {
    String pod =
        Reading.pod(PROBES)
            .replace(
                "{name: test}", "{name: test, annotations: {probelet.io/probes: " + value + "}}");
    assertThat(Reading.of(pod).pod().probeCount()).isEqualTo(2);
  }

  @Test
  void anAnnotationMustBeText() {
    String pod =
        Reading.pod(PROBES)
            .replace("{name: test}", "{name: test, annotations: {probelet.io/probes: {web: {}}}}");
    assertThat(Reading.of(pod).complaints())
        .containsExactly(
            "metadata.annotations[probelet.io/probes]: Invalid value: {…}: must be a string");
  }
}
