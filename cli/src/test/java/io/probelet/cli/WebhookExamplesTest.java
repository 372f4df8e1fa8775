package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Issue 7, acceptance 3: `probelet validate` tells good webhooks from bad ones, with the rule. */
class WebhookExamplesTest {

  private static final Path EXAMPLES = Path.of("../examples/webhooks");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();

  @ParameterizedTest
  @DisplayName("CH-31 the three good examples pass without a word")
  @CsvSource({
    "good-ignore-and-quick.yaml",
    "good-opt-in.yaml",
    "good-other-namespaces.yaml",
    "good-own-resources.yaml"
  })
  void good(String file) {
    assertThat(validate(EXAMPLES.resolve(file))).isZero();
    assertThat(out.toString())
        .matches("\\d (Validating|Mutating)WebhookConfigurations?, no problems\n");
  }

  @ParameterizedTest
  @DisplayName("CH-31 the three bad examples are refused, with place and objects")
  @CsvSource({
    "bad-all-pods-fail.yaml,         7:3, pods in kube-system",
    "bad-nodes-without-timeout.yaml, 7:3, nodes;",
    "bad-slow-leases.yaml,           7:3, leases.coordination.k8s.io in kube-system;",
  })
  void bad(String file, String at, String objects) {
    Path path = EXAMPLES.resolve(file);

    assertThat(validate(path)).isEqualTo(2);
    assertThat(out.toString())
        .startsWith(path + ":" + at + ": error: document 1: webhooks[0]: webhook \"")
        .contains(objects)
        .doesNotContain("CH-")
        .containsPattern("\n1 [A-Za-z]+WebhookConfiguration, 1 error, 0 warnings\n$");
  }

  @Test
  @DisplayName("CH-31 there are seven examples, and this test knows them all")
  void allKnown() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      assertThat(files).hasSize(7);
    }
  }

  @ParameterizedTest
  @DisplayName("CH-32 what the API server would refuse is said first, at its line")
  @CsvSource(
      delimiter = '|',
      value = {
        "failurePolicy: Fail | failurePolicy: Maybe | failurePolicy: Unsupported value: \"Maybe\"",
        "timeoutSeconds: 5 | timeoutSeconds: 31 | timeoutSeconds: Invalid value: 31",
        "timeoutSeconds: 5 | timeoutSeconds: 5s | timeoutSeconds: Invalid value: \"5s\"",
        "operator: NotIn | operator: Not | operator: Unsupported value: \"Not\"",
        "values: [kube-system] | values: [] | values: Required value",
        "operator: NotIn | operator: Exists | values: Forbidden",
        "values: [kube-system] | values: [x y] | values[0]: Invalid value: \"x y\": must be empty or",
        "key: kubernetes.io/metadata.name | key: bad key! | key: Invalid key: must be a name",
        "k8s.io/v1 | k8s.io/v1beta1 | apiVersion: Unsupported value",
        "name: images | nam: images | name: Required value",
        "sideEffects: None | sideEffect: None | did you mean \"sideEffects\"?",
      })
  void malformed(String text, String replacement, String message) throws IOException {
    Path file = folder.resolve("webhook.yaml");
    String good = Files.readString(EXAMPLES.resolve("good-other-namespaces.yaml"));
    Files.writeString(file, good.replace(text, replacement));

    validate(file);

    assertThat(out.toString()).contains(message).doesNotContain("can block");
  }

  @Test
  @DisplayName("CH-31 webhooks in a List are judged too, and pods beside them are read")
  void list() throws IOException {
    Path file = folder.resolve("list.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: admissionregistration.k8s.io/v1
          kind: MutatingWebhookConfiguration
          metadata: {name: a}
          webhooks:
          - name: a.example
            failurePolicy: Fail
            timeoutSeconds: 3
            rules:
            - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [secrets]}
        - apiVersion: v1
          kind: Pod
          metadata: {name: b}
          spec: {containers: [{name: b, command: [b]}]}
        """);

    assertThat(validate(file)).isEqualTo(2);
    assertThat(out.toString())
        .contains("items[0].webhooks[0]: webhook \"a.example\"", "secrets in kube-system")
        .endsWith("1 pod, 0 probes, 1 MutatingWebhookConfiguration, 1 error, 0 warnings\n");
  }

  private int validate(Path file) {
    CommandLine command = new CommandLine(new ValidateCommand());
    command.setOut(new PrintWriter(out, true));
    return command.execute(file.toString());
  }
}
