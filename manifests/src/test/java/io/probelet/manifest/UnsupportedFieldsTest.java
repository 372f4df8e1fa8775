package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.manifest.pod.Mode;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pod asks for and a process of this machine does not get is said, not passed over. */
class UnsupportedFieldsTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: test}
      spec:
        %s
        containers:
        - name: web
          command: [sleep, inf]
      """;

  private static final String NAMES =
      "has no effect: local processes use this machine's name" + " resolution";
  private static final String HOSTNAME =
      "has no effect: HOSTNAME is the pod's name, and the machine's host name stays";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "activeDeadlineSeconds: 5|spec.activeDeadlineSeconds: has no effect: the pod may run"
            + " without a deadline",
        "dnsConfig: {searches: [a.b]}|spec.dnsConfig: " + NAMES,
        "hostAliases: [{ip: 10.0.0.1}]|spec.hostAliases: " + NAMES,
        "hostname: other|spec.hostname: " + HOSTNAME,
        "subdomain: other|spec.subdomain: " + HOSTNAME,
        "setHostnameAsFQDN: true|spec.setHostnameAsFQDN: " + HOSTNAME,
        "serviceAccountName: shop|spec.serviceAccountName: has no effect: no cluster provides"
            + " a token",
        "resourceClaims: [{name: gpu}]|spec.resourceClaims: have no effect: no cluster"
            + " provides them",
      })
  @DisplayName("what the pod asks for in vain is a warning that names the field")
  void ofPod(String line, String warning) {
    Reading reading = Reading.of(POD.formatted(line));
    assertThat(reading.complaints()).containsExactly(warning);
    assertThat(reading.pods()).as("it runs all the same").hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedulingGates: [{name: wait}]|spec.schedulingGates: Forbidden: the pod would never"
            + " start, because no scheduler removes the gates",
        "os: {name: windows}|spec.os.name: Forbidden: local processes run on Linux only",
      })
  @DisplayName("a pod that must not run here does not")
  void refused(String line, String error) {
    Reading reading = Reading.of(POD.formatted(line));
    assertThat(reading.complaints()).containsExactly(error);
    assertThat(reading.pods()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "volumeMounts: [{name: cache, mountPath: /var/cache}]|volumeMounts[0]: has no effect:"
            + " nothing is mounted, a local process sees this machine's /var/cache",
        "volumeMounts: [{name: data, mountPath: /other}]|volumeMounts[0]: has no effect:"
            + " nothing is mounted, a local process sees this machine's /other",
        "volumeMounts: [{name: data, mountPath: /data, subPath: a}]|volumeMounts[0]: has no"
            + " effect: nothing is mounted, a local process sees this machine's /data",
        "volumeMounts: [{name: data, mountPath: /data, readOnly:"
            + " true}]|volumeMounts[0].readOnly: Forbidden: a local process cannot be prevented"
            + " from writing there",
        "volumeDevices: [{name: disk, devicePath: /dev/xvda}]|volumeDevices: have no effect: a"
            + " local process sees this machine's devices",
        "stdin: true|stdin: has no effect: a local process has no standard input",
        "tty: true|tty: has no effect: a local process has no standard input",
        "ports: [{containerPort: 8080, hostPort: 80}]|ports[0].hostPort: has no effect: a"
            + " local process chooses its own addresses and ports",
        "ports: [{containerPort: 8080, hostIP: 10.0.0.1}]|ports[0].hostIP: has no effect: a"
            + " local process chooses its own addresses and ports",
        "lifecycle: {postStart: {sleep: {seconds: 1}}}|lifecycle.postStart: is not run for a"
            + " local process; do this at the start of the command instead",
        "lifecycle: {stopSignal: SIGUSR1}|lifecycle.stopSignal: has no effect: a local process"
            + " gets TERM",
      })
  @DisplayName("what a container asks for in vain is said; a promise not to write is refused")
  void ofContainer(String line, String complaint) {
    String volumes =
        "volumes: [{name: cache, emptyDir: {}}, {name: data, hostPath: {path: /data}}]";
    String pod = POD.formatted(volumes) + line.indent(4);
    assertThat(Reading.of(pod).complaints()).containsExactly(complaint);
    assertThat(Reading.of(pod, Mode.PROBES_ONLY).complaints())
        .as("the container runtime's business")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dnsPolicy: ClusterFirst",
        "enableServiceLinks: true",
        "serviceAccountName: default",
        "schedulerName: default-scheduler",
        "tolerations: [{key: a, operator: Exists}]",
        "nodeSelector: {disk: ssd}",
        "priority: 0",
        "schedulingGates: []",
        "os: {name: linux}",
        "hostNetwork: true",
        "volumes: [{name: cache, emptyDir: {}}]",
      })
  @DisplayName("what a cluster adds by itself, and what only places a pod, is not worth a word")
  void silent(String line) {
    assertThat(Reading.of(POD.formatted(line)).complaints()).isEmpty();
  }

  @Test
  @DisplayName("a folder of the machine that is mounted where it is needs no mount")
  void samePlace() {
    String pod =
        POD.formatted("volumes: [{name: data, hostPath: {path: /data}}]")
            + "    volumeMounts: [{name: data, mountPath: /data}]\n"
            + "    ports: [{containerPort: 8080, hostPort: 8080}]\n";
    assertThat(List.of(Reading.of(pod).complaints())).containsExactly(List.of());
  }
}
