package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.policy.PodRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinds are known by group and name. */
class GroupsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "NodeHealthCheck, health.example.io/v1alpha1, health.example.io",
    "ClusterHealth, status.example.io/v1, status.example.io",
    "RemediationPolicy, fleet.example.io/v1, fleet.example.io",
    "StatefulSet, apps.workloads.example/v1beta1, apps.workloads.example",
    "ValidatingWebhookConfiguration, hooks.example.io/v1, hooks.example.io",
    "Pod, sea.example.io/v1, sea.example.io",
    "List, shop.example.io/v1, shop.example.io",
    "NodeHealthCheckList, health.example.io/v1, health.example.io",
    "PodList, sea.example.io/v1, sea.example.io",
  })
  @DisplayName("a kind of another product that has our name is skipped")
  void foreign(String kind, String apiVersion, String group) {
    Reading read =
        Reading.of(
            "{apiVersion: %s, kind: %s, metadata: {name: x}, spec: {a: b}, items: [{a: b}]}"
                .formatted(apiVersion, kind));

    assertThat(read.problems())
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.isError()).isFalse();
          assertThat(problem.message())
              .startsWith(
                  "ignored: \""
                      + kind
                      + "\" of "
                      + group
                      + " is not supported; supported are Pods");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "NodeHealthCheck, remediation.medik8s.io/v2, remediation.medik8s.io/v1alpha1",
    "ClusterHealth, probelet.io/v9, probelet.io/v1alpha1",
    "RemediationPolicy, probelet.io/v9, probelet.io/v1alpha1",
    "Pod, apps/v1, v1",
  })
  @DisplayName("our kind in another version is an error")
  void version(String kind, String apiVersion, String supported) {
    assertThat(
            Reading.of(
                    "{apiVersion: %s, kind: %s, metadata: {name: x}}".formatted(apiVersion, kind))
                .lines())
        .anyMatch(line ->
            line.contains("error")
                && line.contains("apiVersion: Unsupported value: \"" + apiVersion + "\"")
                && line.contains("\"" + supported + "\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Pods       | v1       | \"Pods\" is not a kind of v1; did you mean \"Pod\"?",
        "Deploymnet | apps/v1  | \"Deploymnet\" is not a kind of apps/v1; did you mean"
            + " \"Deployment\"?",
        "Workflow   | batch/v1 | \"Workflow\" is not a kind of batch/v1",
      })
  @DisplayName("a kind that no API server knows is an error")
  void unknown(String kind, String apiVersion, String message) {
    assertThat(
            Reading.of(
                    "{apiVersion: %s, kind: %s, metadata: {name: x}}".formatted(apiVersion, kind))
                .lines())
        .singleElement()
        .asString()
        .contains("error: document 1: kind: " + message);
  }

  @ParameterizedTest
  @CsvSource({"Service, v1", "ServiceList, v1", "Config, v1", "Job, batch/v2", "Pods, v9"})
  @DisplayName("a kind that an API server or a client may know is no error")
  void known(String kind, String apiVersion) {
    assertThat(
            Reading.of(
                    "{apiVersion: %s, kind: %s, metadata: {name: x}}".formatted(apiVersion, kind))
                .problems())
        .noneMatch(problem -> problem.message().contains("no kind of"));
  }

  @Test
  @DisplayName("validate reads files of up to 16 MiB, as it reads a pipe")
  void large() throws IOException {
    String comment = "# " + "x".repeat(1022) + "\n";
    String pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}\n";
    Path good = Files.writeString(folder.resolve("good.yaml"), comment.repeat(2048) + pod);
    Path huge = Files.writeString(folder.resolve("huge.yaml"), comment.repeat(17 * 1024));
    Purpose purpose = Purpose.of(Mode.PROBES_ONLY, PodRules.LOCAL);

    Manifests read =
        ManifestReader.read(List.of(good, huge), purpose, InputStream.nullInputStream());

    assertThat(read.pods()).hasSize(1);
    assertThat(read.problems())
        .extracting(Object::toString)
        .containsExactly(huge + ": error: is larger than 16 MiB; split it");
  }

  @ParameterizedTest
  @CsvSource({"many.yaml", "many.json"})
  @DisplayName("validate reads as many values from a file as from a pipe")
  void values(String name) throws IOException {
    String list = "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"x\": [%s1]}";
    Purpose purpose = Purpose.of(Mode.PROBES_ONLY, PodRules.LOCAL).withOthersExpected();
    Path many = Files.writeString(folder.resolve(name), list.formatted("1,".repeat(300_000)));
    assertThat(
            ManifestReader.read(List.of(many), purpose, InputStream.nullInputStream()).problems())
        .isEmpty();

    Files.writeString(many, list.formatted("1,".repeat(1_000_001)));
    assertThat(
            ManifestReader.read(List.of(many), purpose, InputStream.nullInputStream()).problems())
        .singleElement()
        .asString()
        .contains("holds more than 1000000 values");
  }
}
