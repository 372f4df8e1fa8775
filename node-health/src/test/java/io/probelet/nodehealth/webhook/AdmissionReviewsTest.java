package io.probelet.nodehealth.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.resource.TemplateKinds.Several;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class AdmissionReviewsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GOOD =
      """
      metadata: {name: nhc}
      spec:
        selector: {matchLabels: {a: b}}
        minHealthy: 51%
        remediationTemplate: {apiVersion: e/v1, kind: RebootTemplate, name: r, namespace: n}
      """;
  private static final String RUNNING =
      "status: {unhealthyNodes: [{name: n1, remediations: [{started: x}]}]}\n";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          minHealthy: 51%                  |                           | one of minHealthy and maxUnhealthy
          minHealthy: 51%                  | minHealthy: 101%          | spec.minHealthy
          minHealthy: 51%                  | minHealthy: -1            | spec.minHealthy
          selector: {matchLabels: {a: b}}  |                           | spec.selector
          matchLabels: {a: b}              | matchLabels: {'a b': c}   | matchLabels
          kind: RebootTemplate             | kind: Reboot              | must end with Template
          name: r,                         |                           | remediationTemplate.name
          apiVersion: e/v1,                |                           | remediationTemplate.apiVersion
          minHealthy: 51%                  | stormCooldownDuration: soon | spec.stormCooldownDuration
          minHealthy: 51%                  | pauseRequests: yes        | spec.pauseRequests
          """)
  @DisplayName("NHC-2, NHC-4, issue 5 acceptance 5: an invalid one is refused, and why")
  void invalid(String good, String bad, String says) {
    JsonNode answer = review("CREATE", GOOD.replace(good, bad == null ? "" : bad), null);
    assertThat(answer.path("allowed").asBoolean()).isFalse();
    assertThat(answer.at("/status/message").asText()).contains(says);
    assertThat(answer.at("/status/code").asInt()).isEqualTo(403);
  }

  @Test
  @DisplayName("RB-7 an invalid expression is refused with its position, on creation and on change")
  void invalidExpression() {
    String wrong =
        GOOD.replace(
            "name: nhc",
            "name: nhc, annotations: {probelet.io/unhealthy-when: \"age > duration('5 min')\"}");
    String says =
        "metadata.annotations[probelet.io/unhealthy-when]: Invalid value: \"age > duration('5 min')\":"
            + " line 1, column 16: ";
    assertThat(review("CREATE", wrong, null).at("/status/message").asText()).contains(says);
    assertThat(review("UPDATE", wrong, GOOD).at("/status/message").asText()).contains(says);
    assertThat(review("CREATE", wrong.replace("5 min", "5m"), null).path("allowed").asBoolean())
        .isTrue();
  }

  @Test
  @DisplayName("a valid one is admitted; what is merely odd is a warning")
  void valid() {
    JsonNode answer =
        review("CREATE", GOOD.replace("minHealthy", "colour: red\n  minHealthy"), null);
    assertThat(answer.path("allowed").asBoolean()).isTrue();
    assertThat(answer.path("uid").asText()).isEqualTo("42");
    assertThat(answer.path("warnings")).hasSize(1);
  }

  @Test
  @DisplayName("NHC-21 while a remediation runs, selector and templates stay, and so does the NHC")
  void running() {
    String changed = GOOD.replace("{a: b}", "{a: c}") + RUNNING;
    assertThat(review("UPDATE", changed, GOOD + RUNNING).at("/status/message").asText())
        .contains("prohibited due to running remediation");
    assertThat(review("DELETE", null, GOOD + RUNNING).at("/status/message").asText())
        .contains("prohibited due to running remediation");
    assertThat(
            review("UPDATE", GOOD.replace("51", "40"), GOOD + RUNNING).path("allowed").asBoolean())
        .isTrue();
    assertThat(review("DELETE", null, GOOD).path("allowed").asBoolean()).isTrue();
  }

  @Test
  @DisplayName("NHC-5 a kind used twice needs the annotation on all its templates")
  void several() {
    String twice =
        GOOD.replaceAll("(?m)^  remediationTemplate.*$", "  escalatingRemediations:")
            + step(1, "a")
            + step(2, "b");
    assertThat(review("CREATE", twice, null).path("allowed").asBoolean()).isFalse();
    assertThat(
            new AdmissionReviews((_, _) -> Several.ALLOWED, RunningRemediations.UNKNOWN)
                .answer(request("CREATE", twice, null))
                .at("/response/allowed")
                .asBoolean())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "SOME, kind: Reboot, kind: Replace, prohibited due to running remediation",
    "SOME, b}, c}, spec.selector",
    "NO_ANSWER, b}, c}, cannot verify whether a remediation is running",
    "NONE, b}, c}, ''",
    "SOME, 51%, 40%, ''",
  })
  @DisplayName("R-20 a remediation that the status does not tell of yet counts, too")
  void untold(RunningRemediations.Presence running, String old, String now, String says) {
    AdmissionReviews reviews = new AdmissionReviews(TemplateKinds.UNKNOWN, _ -> running);
    JsonNode update =
        reviews.answer(request("UPDATE", GOOD.replace(old, now), GOOD)).path("response");
    assertThat(update.path("allowed").asBoolean()).isEqualTo(says.isEmpty());
    assertThat(update.at("/status/message").asText()).contains(says);
    JsonNode deletion = reviews.answer(request("DELETE", null, GOOD)).path("response");
    assertThat(deletion.path("allowed").asBoolean())
        .isEqualTo(running == RunningRemediations.Presence.NONE);
  }

  private static String step(int order, String name) {
    return """
      - {order: %d, timeout: 60s, remediationTemplate:
          {apiVersion: e/v1, kind: RebootTemplate, name: %s, namespace: n}}
    """
        .formatted(order, name);
  }

  private static JsonNode review(String operation, String object, String old) {
    TemplateKinds refused = (_, _) -> Several.REFUSED;
    return new AdmissionReviews(refused, RunningRemediations.UNKNOWN)
        .answer(request(operation, object, old))
        .path("response");
  }

  private static ObjectNode request(String operation, String object, String old) {
    ObjectNode review = JSON.createObjectNode();
    ObjectNode request = review.putObject("request");
    request.put("uid", "42").put("operation", operation);
    request.set("object", json(object));
    request.set("oldObject", json(old));
    return review;
  }

  private static JsonNode json(String yaml) {
    Object loaded = yaml == null ? null : new Yaml().<Map<String, Object>>load(yaml);
    return JSON.valueToTree(loaded);
  }
}
