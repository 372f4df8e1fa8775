package io.probelet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** `probelet validate` says everything that is wrong, precisely, and exits accordingly. */
class ValidateCommandTest {

  private static final String GOOD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: good}
      spec:
        containers:
        - name: web
          command: [sleep, inf]
          livenessProbe: {exec: {command: [ls]}}
          readinessProbe: {tcpSocket: {port: 80}}
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  @DisplayName("Acceptance 4: five different mistakes get five precise messages and exit 2")
  void fiveMistakes() throws IOException {
    Path file =
        write(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: fine}
            spec: {containers: [{name: a, command: [a]}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              name: broken
              annotations:
                probelet.io/probes: |
                  web:
                    liveness:
                      period: 20ms
            spec:
              restartPolicy: always
              containers:
              - name: web
                livenessProbe:
                  httpGet: {path: /, port: 80800}
                  periodSeconds: 10s
            """);
    assertThat(validate(file.toString())).isEqualTo(2);
    assertThat(out.toString().replace(file.toString(), "FILE"))
        .isEqualTo(
            """
            FILE:14:19: error: document 2: metadata.annotations[probelet.io/probes].web.liveness.period: Invalid value: "20ms": must be at least 100ms
            FILE:16:18: error: document 2: spec.restartPolicy: Unsupported value: "always": supported values: "Always", "OnFailure", "Never"
            FILE:18:5: error: document 2: spec.containers[0].command: Required value: images are not run here, so the program to start must be given
            FILE:20:32: error: document 2: spec.containers[0].livenessProbe.httpGet.port: Invalid value: 80800: must be between 1 and 65535, inclusive
            FILE:21:22: error: document 2: spec.containers[0].livenessProbe.periodSeconds: Invalid value: "10s": must be an integer
            1 pod, 0 probes, 5 errors, 0 warnings
            """);
  }

  @Test
  void aGoodManifestIsCountedAndExitsZero() throws IOException {
    assertThat(validate(write(GOOD).toString())).isZero();
    assertThat(out).hasToString("1 pod, 2 probes, no problems\n");
  }

  @Test
  void warningsAloneExitZero() throws IOException {
    Path file = write(GOOD + "    livenesProbe: {}\n");
    assertThat(validate(file.toString())).isZero();
    assertThat(out.toString())
        .contains("warning: ", "did you mean \"livenessProbe\"?")
        .endsWith("1 pod, 2 probes, 0 errors, 1 warning\n");
  }

  @Test
  void jsonForPrograms() throws IOException {
    Path file = write(GOOD.replace("port: 80", "port: 0"));
    assertThat(validate("--output", "json", file.toString())).isEqualTo(2);
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.get("pods").asInt()).isZero();
    JsonNode problem = report.get("problems").get(0);
    assertThat(problem.get("file").asText()).isEqualTo(file.toString());
    assertThat(problem.get("document").asInt()).isEqualTo(1);
    assertThat(problem.get("line").asInt()).isEqualTo(9);
    assertThat(problem.get("column").asInt()).isEqualTo(40);
    assertThat(problem.get("severity").asText()).isEqualTo("error");
    assertThat(problem.get("field").asText())
        .isEqualTo("spec.containers[0].readinessProbe.tcpSocket.port");
    assertThat(problem.get("message").asText())
        .isEqualTo("Invalid value: 0: must be between 1 and 65535, inclusive");
  }

  @Test
  void probesOnlyTakesPodsOfACluster() throws IOException {
    Path file = write(GOOD.replace("command: [sleep, inf]", "image: nginx"));
    assertThat(validate(file.toString())).isEqualTo(2);
    assertThat(validate("--probes-only", file.toString())).isZero();
  }

  @Test
  @DisplayName("--policy says what the agents with that configuration say")
  void policy() throws IOException {
    Path pod =
        write(
            GOOD.replace(
                    "metadata: {name: good}",
                    "metadata: {name: good, namespace: shop, annotations: {probelet.io/probes: 'web:"
                        + " {startup: {exec: {command: [sh]}}}'}}")
                .replace("command: [sleep, inf]", "command: [sleep, inf]\n    image: nginx"));
    Path agents = folder.resolve("agents.conf");
    Files.writeString(agents, "policy: {namespaces: [{names: [shop], exec: true}]}");
    assertThat(validate("--policy=" + agents, pod.toString())).isZero();
    assertThat(validate(pod.toString())).as("run by its own user").isZero();
    Files.writeString(agents, "policy: {preset: restricted}");
    assertThat(validate("--policy=" + agents, pod.toString())).isEqualTo(2);
    assertThat(validate("--probes-only", pod.toString())).isEqualTo(2);
    assertThat(out.toString())
        .contains(
            "metadata.annotations[probelet.io/probes].web.startup.exec: Forbidden: the policy for"
                + " this namespace allows no commands in annotations (exec)");
    Files.writeString(agents, "policy: {preset: free}");
    assertThat(validate("--policy=" + agents, pod.toString())).isEqualTo(2);
    assertThat(err.toString()).contains(agents + ":1:18: error: policy.preset: Unsupported value");
  }

  @Test
  void wrongUsageExitsTwo() {
    assertThat(validate()).isEqualTo(2);
    assertThat(err.toString()).contains("PATH");
    assertThat(validate("--output", "xml", "x")).isEqualTo(2);
    assertThat(err.toString()).contains("\"xml\" is not a format; use text or json");
    assertThat(validate("/no/such/file")).isEqualTo(2);
    assertThat(out.toString()).startsWith("/no/such/file: error: no such file or directory\n");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("pod.yaml"), text);
  }

  private int validate(String... args) {
    return new CommandLine(new ValidateCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
