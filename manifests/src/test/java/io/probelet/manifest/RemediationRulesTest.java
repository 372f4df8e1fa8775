package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.manifest.pod.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Remediations of ours and their templates in files: the reader's rules, with the line. */
class RemediationRulesTest {
  private static final String TEMPLATE =
      """
      apiVersion: probelet.io/v1alpha1
      kind: RebootRemediationTemplate
      metadata: {name: reboot, namespace: probelet-system}
      spec:
        template:
          spec:
            drain: {timeout: 5m}
            rebootWithin: 10m
      """;

  @Test
  @DisplayName("ACT-50 a good template and a good remediation have no problem")
  void good() {
    assertThat(Reading.of(TEMPLATE).lines()).isEmpty();
    assertThat(
            Reading.of(
                    """
                    apiVersion: probelet.io/v1alpha1
                    kind: MachineRemediation
                    metadata: {name: worker-1, namespace: machines}
                    """)
                .lines())
        .isEmpty();
    assertThat(
            Reading.of(
                    """
                    apiVersion: probelet.io/v1alpha1
                    kind: DrainRemediationTemplateList
                    items:
                    - apiVersion: probelet.io/v1alpha1
                      kind: DrainRemediationTemplate
                      metadata: {name: drain}
                      spec: {template: {spec: {force: true}}}
                    """)
                .lines())
        .isEmpty();
  }

  @Test
  @DisplayName("the Job of a remediation is checked as a cluster checks it")
  void job() {
    String template =
        """
        apiVersion: probelet.io/v1alpha1
        kind: DrainRemediationTemplate
        metadata: {name: drain, annotations: {probelet.io/settle: 5s}}
        spec:
          template:
            spec:
              uncordon:
                job:
                  template:
                    spec:
                      backofLimit: 1
                      template:
                        spec:
                          restartPolicy: Always
                          containers:
                          - {name: check, imagePulPolicy: Always, volumeMounts: [{name: a, mountPath: /a}]}
        """;
    assertThat(Reading.of(template, Mode.PROBES_ONLY).lines())
        .containsExactly(
            "3:59: warning: document 1: metadata.annotations[probelet.io/settle]: unknown annotation,"
                + " ignored: nothing reads one of this kind",
            "11:15: warning: document 1: spec.template.spec.uncordon.job.template.spec.backofLimit:"
                + " unknown field; did you mean \"backoffLimit\"?",
            "14:34: error: document 1: spec.template.spec.uncordon.job.template.spec.template.spec"
                + ".restartPolicy: Unsupported value: \"Always\": supported values: \"OnFailure\","
                + " \"Never\"",
            "16:21: error: document 1: spec.template.spec.uncordon.job.template.spec.template.spec"
                + ".containers[0].image: Required value: the image to run",
            "16:35: warning: document 1: spec.template.spec.uncordon.job.template.spec.template.spec"
                + ".containers[0].imagePulPolicy: unknown field; did you mean \"imagePullPolicy\"?",
            "16:81: error: document 1: spec.template.spec.uncordon.job.template.spec.template.spec"
                + ".containers[0].volumeMounts[0].name: Not found: \"a\": the pod has no such volume");
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1alpha1|v1beta1"
            + "|1:13: error: document 1: apiVersion: Unsupported value: \"probelet.io/v1beta1\": supported"
            + " values: \"probelet.io/v1alpha1\"",
        "name: reboot, |"
            + "|3:11: error: document 1: metadata.name: Required value: the resource's name",
        "{timeout: 5m}|{timeout: 5}"
            + "|7:24: error: document 1: spec.template.spec.drain.timeout: Invalid value: 5: must be a"
            + " duration such as 90s, 1.5h or 2h45m",
        "rebootWithin: 10m|rebootWithin: 3h"
            + "|8:21: error: document 1: spec.template.spec.rebootWithin: Invalid value: \"3h\": must be"
            + " from 1s to 2h",
        "rebootWithin|rebotWithin"
            + "|8:7: warning: document 1: spec.template.spec.rebotWithin: unknown field; did you mean"
            + " \"rebootWithin\"?"
      })
  @DisplayName("ACT-50 what is wrong is said with its line")
  void refused(String good, String bad, String line) {
    String text = TEMPLATE.replace(good, bad == null ? "" : bad);
    assertThat(Reading.of(text).lines()).containsExactly(line);
  }

  @Test
  @DisplayName("a kind of that name in another group is somebody else's")
  void elsewhere() {
    assertThat(Reading.of(TEMPLATE.replace("probelet.io/v1alpha1", "example.org/v1")).lines())
        .singleElement()
        .asString()
        .contains(
            "ignored: \"RebootRemediationTemplate\" of example.org is not supported; supported are ");
  }

  @Test
  @DisplayName("the shipped examples are valid")
  void examples() throws IOException {
    try (var files = Files.list(Path.of("../examples/remediations"))) {
      for (Path file :
          files
              .filter(each -> each.toString().endsWith(".yaml"))
              .filter(each -> !each.endsWith("scenario.yaml")) // of another reader
              .toList()) {
        assertThat(Reading.of(Files.readString(file)).lines())
            .as(file.toString())
            .allMatch(line -> line.contains(" is not supported; supported are "));
      }
    }
  }
}
