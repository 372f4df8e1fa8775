package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.probelet.document.field.Problem;
import io.probelet.document.tree.Source;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.policy.PodRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever becomes of a manifest, reading it ends with pods or problems, never an exception. */
class ManifestFuzzTest {

  private static final int ROUNDS = 500;

  private static final String GOOD =
      """
      apiVersion: v1
      kind: List
      items:
      - apiVersion: v1
        kind: Pod
        metadata:
          name: shop
          namespace: prod
          annotations:
            probelet.io/probes: |
              web:
                liveness:
                  period: 250ms
                  failingPeriod: 100ms
                  jitter: 50ms
                  tls: {verify: true, serverName: web.test}
                  expect: {statuses: [200, 300-302], body: {matches: "^o(k|K){1,3}", json: [{pointer: /s, equals: {a: [1, .5]}}]}}
                readiness:
                  allOf: [{tcpSocket: {port: 1}}, {anyOf: [{exec: {command: [ls]}}, {grpc: {port: 2}, tls: {}}]}]
        spec: &spec
          restartPolicy: OnFailure
          terminationGracePeriodSeconds: 5
          readinessGates: [{conditionType: example.com/ready}]
          initContainers:
          - {name: proxy, restartPolicy: Always, command: [proxy], startupProbe: {tcpSocket: {port: 15001, host: "::1"}}}
          containers:
          - name: web
            command: [nginx]
            args: [-g, "daemon off; $(COLOR)"]
            workingDir: data
            env: [{name: COLOR, value: red}]
            ports: [{name: http, containerPort: 8080, protocol: TCP}]
            restartPolicy: Never
            restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [42, 43]}}]
            livenessProbe: {httpGet: {port: http, scheme: HTTPS, path: "/a?b", httpHeaders: [{name: A, value: b}]}, periodSeconds: 0x10}
            readinessProbe: {grpc: {port: 9090, service: x}, timeoutSeconds: 1e0}
      - {apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: {schedule: x, suspend: false, jobTemplate: {spec: {template: {spec: *spec}}}}}
      - {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: *spec}}}
      - {apiVersion: v1, kind: Pod, metadata: {name: other}, spec: {<<: *spec, containers: [{name: a, command: [b]}]}}
      """;

  private static final List<String> SPICE =
      List.of(
          ":",
          ": ",
          "- ",
          "\n",
          "\n---\n",
          "  ",
          "\t",
          "{",
          "}",
          "[",
          "]",
          "\"",
          "'",
          "&a ",
          "*a ",
          "*spec",
          "<<: ",
          "!!int ",
          "!!str ",
          "!x ",
          "| ",
          ">-\n",
          "#",
          "%",
          "@",
          "null",
          "~",
          "-1",
          "0",
          "1e999999999",
          ".inf",
          "99999999999999999999",
          "0x",
          "true",
          "yes",
          "\\",
          "\\u0000",
          "\uD83D\uDE00",
          "\uFFFD",
          "?",
          "? [",
          "...\n",
          "%YAML 9.9\n",
          "a{1000}",
          "(",
          "\r\n",
          "\u0085",
          "\u2028");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void mutatedText(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder text = new StringBuilder(GOOD);
      for (int change = random.nextInt(1, 6); change > 0; change--) {
        mutate(text, random);
      }
      readsWithoutException(text.toString(), random.nextBoolean());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void mutatedBytes(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = GOOD.getBytes(StandardCharsets.UTF_8);
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      if (Source.decode(bytes) instanceof Source.Decoded.Text(Source source)) {
        readsWithoutException(source.text(), random.nextBoolean());
      }
    }
  }

  private static void mutate(StringBuilder text, Random random) {
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + random.nextInt(1, 30));
    switch (random.nextInt(4)) {
      case 0 -> text.delete(at, end);
      case 1 -> text.insert(at, text.substring(at, end).repeat(random.nextInt(1, 4)));
      case 2 -> text.insert(at, SPICE.get(random.nextInt(SPICE.size())));
      default -> replaceWord(text, at, SPICE.get(random.nextInt(SPICE.size())));
    }
  }

  private static void replaceWord(StringBuilder text, int at, String spice) {
    int begin = at;
    while (begin > 0 && Character.isLetterOrDigit(text.charAt(begin - 1))) {
      begin--;
    }
    int end = at;
    while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
      end++;
    }
    text.replace(begin, end, spice);
  }

  private static void readsWithoutException(String text, boolean probesOnly) {
    Mode mode = probesOnly ? Mode.PROBES_ONLY : Mode.STANDALONE_PROCESS;
    assertThatCode(
            () -> {
              FileManifests read =
                  FileManifests.read(Reading.FILE, Source.of(text), mode, PodRules.LOCAL);
              Manifests manifests = FileManifests.join(List.of(read), List.of());
              assertThat(manifests.problems())
                  .extracting(Problem::toString)
                  .allMatch(line -> line.lines().count() == 1);
            })
        .as("manifest:%n%s", text)
        .doesNotThrowAnyException();
  }
}
