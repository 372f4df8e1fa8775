package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.config.AgentConfiguration;
import io.probelet.manifest.pod.Mode;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that are of no use here, but for which a cluster refuses the pod. */
class PodFieldRulesTest {
  private static Reading read(String metadata, String spec, String container) {
    return Reading.of(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: test, %s}
        spec:
          volumes: [{name: data, emptyDir: {}}]
          containers: [{name: web, image: i, command: [a], %s}]
          %s
        """
            .formatted(metadata, container, spec),
        Mode.PROBES_ONLY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "labels: {a: true}|metadata.labels[a]: Invalid value: true: must be a string; put it in quotes",
        "annotations: {a: 1}|metadata.annotations[a]: Invalid value: 1: must be a string; put it in quotes",
        "labels: {a/b/c: d}|metadata.labels[a/b/c]: Invalid key: must be a name of at most 63 letters,"
            + " digits, '-', '_' and '.', beginning and ending with a letter or digit, with an"
            + " optional DNS name and '/' before it",
        "finalizers: [a]|metadata.finalizers[0]: Invalid value: \"a\": must be a name with a domain,"
            + " such as example.com/name"
      })
  @DisplayName("P-25 metadata")
  void metadata(String field, String complaint) {
    assertThat(read(field, "", "").complaints()).containsExactly(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "restartPolicy: ''|restartPolicy: Unsupported value: \"\": supported values: \"Always\","
            + " \"OnFailure\", \"Never\"",
        "env: [{name: A, valueFrom: {}}]|env[0].valueFrom: Invalid value: must specify one of:"
            + " fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef",
        "ports: [{containerPort: 80, hostPort: 70000}]|ports[0].hostPort: Invalid value: 70000: must"
            + " be between 1 and 65535, inclusive",
        "image: ' a'|image: Invalid value: \" a\": must not have leading or trailing whitespace",
        "volumeMounts: [{name: dat, mountPath: /a}]|volumeMounts[0].name: Not found: \"dat\": the pod"
            + " has no such volume",
        "resources: {limits: {cpu: 1}, requests: {cpu: 2}}|resources.requests[cpu]: Invalid value: 2:"
            + " must be less than or equal to the limit",
        "stdin: 1|stdin: Invalid value: 1: must be true or false"
      })
  @DisplayName("P-25 containers")
  void containers(String field, String complaint) {
    String container = field.startsWith("image") ? "" : field;
    Reading reading = read("", "", container);
    if (container.isEmpty()) {
      reading = Reading.of(Reading.pod("").replace("image: i", field), Mode.PROBES_ONLY);
    }
    assertThat(reading.complaints()).containsExactly(complaint);
  }

  @Test
  @DisplayName("P-25 an image is needed in a cluster, and by no process")
  void image() {
    String pod = Reading.pod("").replace("image: i", "");
    assertThat(Reading.of(pod).problems()).isEmpty();
    assertThat(Reading.of(pod, Mode.PROBES_ONLY).problems()).as("run by others").isEmpty();
    assertThat(
            Reading.of(pod, Mode.PROBES_ONLY, AgentConfiguration.DEFAULT.podRules()).complaints())
        .containsExactly("image: Required value: the image to run");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "command: [a, null]",
        "args: [null]",
        "restartPolicy: Never\nrestartPolicyRules: [{action: Restart, exitCodes: {operator: In,"
            + " values: [1, 1]}}]"
      })
  @DisplayName("P-25 what looks odd and is accepted")
  void odd(String lines) {
    String pod = Reading.pod(lines);
    assertThat(
            Reading.of(
                    lines.startsWith("command") ? pod.replace("command: [sleep, inf]", "") : pod,
                    Mode.PROBES_ONLY)
                .problems())
        .isEmpty();
  }

  @Test
  @DisplayName("P-25 a negative grace period is one second")
  void grace() {
    Reading reading = Reading.of(Reading.pod("") + "  terminationGracePeriodSeconds: -1\n");
    assertThat(Objects.requireNonNull(reading.pod().local()).terminationGracePeriod())
        .hasSeconds(1);
  }
}
