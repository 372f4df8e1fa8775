package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Source;
import io.probelet.manifest.advice.SpecAdvice;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.pod.Purpose.Use;
import io.probelet.manifest.policy.PodRules;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Advice on fields other than probes, and just beside it none. */
class SpecAdviceTest {
  private static final String READY = "readinessProbe: {tcpSocket: {port: 80}}";

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "| resources: {limits: {memory: 400m}} |containers[0].resources.limits[memory] fractional-bytes",
        "| resources: {requests: {ephemeral-storage: 1.5}} |containers[0].resources.requests[ephemeral-storage] fractional-bytes",
        "| resources: {limits: {memory: 1.5Ki, cpu: 400m}} |",
        "| resources: {limits: {memory: 1000m}} |",
        "overhead: {memory: 1m}| |overhead[memory] fractional-bytes",
        "terminationGracePeriodSeconds: -1| |terminationGracePeriodSeconds negative-grace-period",
        "terminationGracePeriodSeconds: 0| |",
        "| ports: [{containerPort: 80, hostIP: 127.0.0.1}] |containers[0].ports[0] host-ip-without-host-port",
        "| ports: [{containerPort: 80, hostIP: 127.0.0.1, hostPort: 80}] |",
        "hostNetwork: true| ports: [{containerPort: 80, hostIP: 127.0.0.1}] |",
        "| ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}] |containers[0].ports[1] duplicate-port",
        "| ports: [{containerPort: 80}, {containerPort: 80, protocol: UDP}] |",
        "| ports: [{containerPort: 80}, {containerPort: 81}] |",
        "| ports: [{containerPort: 80}, {containerPort: 80, hostPort: 80}] |containers[0].ports[1] overlapping-port",
        "| ports: [{containerPort: 80, hostPort: 80}, {containerPort: 80, hostPort: 81}] |",
        "| ports: [{containerPort: 80, hostPort: 80}, {containerPort: 80, hostPort: 80, hostIP: 10.0.0.1}] |containers[0].ports[1] ambiguous-host-port",
        "| ports: [{containerPort: 80, hostPort: 80, hostIP: 10.0.0.2}, {containerPort: 80, hostPort: 80, hostIP: 10.0.0.1}] |",
        "initContainers: [{name: i, image: i, ports: [{name: www, containerPort: 81}]}]| ports: [{name: www, containerPort: 80}] |containers[0].ports[0] duplicate-port-name",
        "| env: [{name: A, value: a}, {name: A, value: b}] |containers[0].env[1] duplicate-variable",
        "| env: [{name: A, value: a}, {name: A, value: $(A)}] |containers[0].env[1] duplicate-variable",
        "| env: [{name: A, value: a}, {name: A, value: b$(A)}] |",
        "| env: [{name: A, value: a}, {name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}] |containers[0].env[1] duplicate-variable",
        "| lifecycle: {preStop: {httpGet: {port: 80, host: localhost}}} |containers[0].lifecycle.preStop.httpGet.host hook-of-localhost",
        "hostNetwork: true| lifecycle: {preStop: {httpGet: {port: 80, host: localhost}}} |",
        "| lifecycle: {postStart: {exec: {command: [sleep 5]}}} |containers[0].lifecycle.postStart.exec.command hook-in-one-word",
        "| lifecycle: {postStart: {exec: {command: [sleep, 5 s]}}} |",
        "| env: [{name: A, value: a}], lifecycle: {preStop: {exec: {command: [echo, $(A)]}}} |containers[0].lifecycle.preStop.exec.command hook-variable",
        "| env: [{name: A, value: a}], lifecycle: {preStop: {exec: {command: [echo, $$(A)]}}} |",
        "| lifecycle: {preStop: {exec: {command: [sh, -c, kill $(pidof web)]}}} |"
      })
  void table(String spec, String container, String expected) {
    assertThat(advice(pod(spec, container), Mode.PROBES_ONLY))
        .containsExactlyElementsOf(expected == null ? List.of() : List.of("spec." + expected));
  }

  @Test
  @DisplayName("the table above has each piece of advice")
  void complete() throws Exception {
    CsvSource rows =
        SpecAdviceTest.class
            .getDeclaredMethod("table", String.class, String.class, String.class)
            .getAnnotation(CsvSource.class);
    assertThat(
            Stream.of(rows.value())
                .map(row -> row.substring(row.lastIndexOf(' ') + 1))
                .filter(id -> id.matches("[a-z-]+"))
                .distinct())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(SpecAdvice.values()).map(SpecAdvice::id).toList());
  }

  @Test
  @DisplayName("a process of this machine gets no advice for a cluster")
  void process() {
    String pod = pod("terminationGracePeriodSeconds: -1", "command: [a]");
    assertThat(advice(pod, Mode.STANDALONE_PROCESS)).isEmpty();
  }

  @Test
  @DisplayName("the first of two ports is named")
  void other() {
    String pod = pod(null, "ports: [{containerPort: 80}, {containerPort: 80}]");
    assertThat(read(pod, Mode.PROBES_ONLY).toList())
        .singleElement()
        .asString()
        .contains("(see spec.containers[0].ports[0])");
  }

  @Test
  @DisplayName("Attack: 20,000 equal ports are not all compared with each other")
  void manyPorts() {
    String ports =
        String.join(", ", IntStream.range(0, 20_000).mapToObj(_ -> "{containerPort: 80}").toList());
    assertThat(advice(pod(null, "ports: [" + ports + "]"), Mode.PROBES_ONLY))
        .hasSizeBetween(100, 200);
  }

  private static String pod(String spec, String container) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: test}\nspec:\n"
        + (spec == null ? "" : "  " + spec + "\n")
        + "  containers:\n  - {name: web, image: i, "
        + (container == null ? "" : container + ", ")
        + READY
        + "}\n";
  }

  private static List<String> advice(String pod, Mode mode) {
    return read(pod, mode).map(problem -> problem.field() + " " + problem.rule()).toList();
  }

  private static Stream<Problem> read(String pod, Mode mode) {
    Use use = new Use(mode, PodRules.LOCAL);
    Purpose purpose = new Purpose(use, use, List.of(), false, true, Map.of());
    List<Problem> problems =
        FileManifests.join(
                List.of(FileManifests.read(Reading.FILE, Source.of(pod), purpose)), List.of())
            .problems();
    assertThat(problems).noneMatch(Problem::isError);
    return problems.stream().filter(problem -> problem.severity() == Severity.ADVICE);
  }
}
