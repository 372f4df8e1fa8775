package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.EVIDENCE;
import static io.probelet.remediator.decide.Situations.node;
import static io.probelet.remediator.decide.Situations.request;
import static io.probelet.remediator.decide.Situations.situation;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationProgressJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever others write into a resource becomes one plain line, or nothing. */
final class ForeignTextTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final Map<String, String> TEXTS =
      Map.of(
          "a forged log line", "done\n12:00:00.000 WARN node n2: out of memory",
          "a terminal sequence", "done\u001b[2J\u001b]0;title\u0007",
          "a C1 sequence", "done\u009b2J",
          "a reversed text", "done\u202egnp.exe\u2066",
          "a line separator", "done\u2028next\u2029next\u0085next\rnext",
          "half a character", "done\ud83d",
          "a long text", "done ".repeat(300_000));

  /** Where such a text is read, and all that is made of it. */
  private static Map<String, Function<String, List<String>>> places() {
    Map<String, Function<String, List<String>>> places = new LinkedHashMap<>();
    places.put("order status: message", text -> texts(status(text, "message")));
    places.put("order status: bootID", text -> texts(status(text, "bootID")));
    places.put("order status: evidence name", text -> texts(evidence(text, "name")));
    places.put("order status: evidence sha256", text -> texts(evidence(text, "sha256")));
    places.put("order status: digest", text -> texts(evidence(text, "digest")));
    places.put("order spec: reason", text -> texts(spec(text, "reason")));
    for (String field : List.of("kind", "namespace", "name", "uid")) {
      places.put("order spec: remediation " + field, text -> texts(owned(text, field)));
    }
    places.put("order spec: action", text -> texts(spec(text, "action")));
    places.put("order spec: bootID", text -> texts(spec(text, "bootID")));
    for (String field : List.of("message", "node", "bootID")) {
      places.put("remediation status: " + field, text -> texts(progress(text, field)));
    }
    for (String field : List.of("type", "status", "reason", "message")) {
      places.put("remediation condition: " + field, text -> texts(condition(text, field)));
    }
    places.put("failed diagnosis", text -> texts(diagnosed(text, "Failed", "a.tgz")));
    places.put("empty diagnosis", text -> texts(diagnosed(text, "Done", "")));
    places.put("diagnosis: evidence name", text -> texts(diagnosed("done", "Done", text)));
    places.put(
        "Job: condition",
        text ->
            List.of(
                ObservedHook.read(
                        JSON.objectNode()
                            .<ObjectNode>set(
                                "metadata",
                                JSON.objectNode()
                                    .set(
                                        "ownerReferences",
                                        JSON.arrayNode().add(JSON.objectNode().put("uid", "u"))))
                            .set(
                                "status",
                                JSON.objectNode()
                                    .set(
                                        "conditions",
                                        JSON.arrayNode()
                                            .add(
                                                JSON.objectNode()
                                                    .put("type", "Failed")
                                                    .put("status", "True")
                                                    .put("reason", text)
                                                    .put("message", text)))),
                        "u")
                    .message()));
    places.put("webhook: error", text -> List.of(new HookAnswer.NotAnswered(text).why()));
    places.put(
        "API server: refusal", text -> List.of(new ApiResult.Refused(403, text, null).summary()));
    places.put("API server: error", text -> List.of(new ApiResult.Unanswered(text).summary()));
    places.put("hold", text -> List.of(new ActionHold("Blackout", text).message()));
    return places;
  }

  static Stream<Arguments> cases() {
    return places().entrySet().stream()
        .flatMap(place ->
            TEXTS.entrySet().stream()
                .map(text ->
                    Arguments.of(
                        place.getKey(), text.getKey(), place.getValue(), text.getValue())));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cases")
  @DisplayName("ACT-44 foreign text is one plain, bounded line")
  void onePlainLine(String place, String what, Function<String, List<String>> read, String text) {
    assertThat(read.apply(text))
        .isNotEmpty()
        .allSatisfy(shown -> {
          assertThat(shown.length()).isLessThanOrEqualTo(2_100);
          assertThat(shown.codePoints().filter(ForeignTextTest::isHostile).toArray()).isEmpty();
        });
  }

  private static boolean isHostile(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../../etc/passwd",
        "/etc/passwd",
        "..",
        ".hidden",
        "a/b.tar.gz",
        "a b.tar.gz",
        "a.tar.gz\n",
        "%2e%2e%2f",
        "-rf"
      })
  @DisplayName("ACT-44 a name that is no file name means that nothing was kept")
  void fileNames(String name) {
    KeptEvidence kept = RemediationProgressJson.evidence(evidence(name, "name"));
    assertThat(kept).isNotNull();
    assertThat(kept.name()).isEmpty();
    Step step = diagnose("done", "Done", name);
    assertThat(step.status().evidence().name()).isEmpty();
    assertThat(step.status().message()).startsWith("no evidence: ");
  }

  private static List<String> texts(Object read) {
    List<String> texts = new ArrayList<>();
    switch (read) {
      case OrderStatus status -> {
        texts.addAll(List.of(status.message(), status.bootId()));
        if (status.evidence() != null) {
          texts.addAll(texts(status.evidence()));
        }
      }
      case KeptEvidence kept -> {
        texts.addAll(List.of(kept.name(), kept.sha256()));
        texts.addAll(kept.digest());
      }
      case NodeOrder order -> {
        texts.addAll(List.of(order.spec().reason(), order.spec().bootId()));
        texts.add(order.spec().owner().toString());
        texts.add(order.spec().owner().uid());
        if (order.spec().action() instanceof OrderAction.Unreadable(String problem)) {
          texts.add(problem);
        }
      }
      case RemediationProgress progress -> {
        texts.addAll(List.of(progress.message(), progress.node(), progress.bootId()));
        progress
            .conditions()
            .forEach(each ->
                texts.addAll(List.of(each.type(), each.status(), each.reason(), each.message())));
        if (progress.evidence() != null) {
          texts.addAll(texts(progress.evidence()));
        }
      }
      case Step step -> {
        texts.addAll(texts(step.status()));
        step.notices().forEach(notice -> texts.add(notice.reason()));
      }
      case JsonNode json -> texts.addAll(texts(RemediationProgressJson.evidence(json)));
      default -> throw new IllegalArgumentException(read.toString());
    }
    return texts;
  }

  private static OrderStatus status(String text, String field) {
    ObjectNode order = JSON.objectNode();
    order.putObject("status").put("phase", "Done").put(field, text);
    return NodeOrderJson.read(order).status();
  }

  private static ObjectNode evidence(String text, String field) {
    ObjectNode evidence = JSON.objectNode().put("name", "a.tgz").put("sha256", "ff");
    if (field.equals("digest")) {
      evidence.putArray("digest").add(text).add(text);
    } else {
      evidence.put(field, text);
    }
    return evidence;
  }

  private static NodeOrder spec(String text, String field) {
    ObjectNode order = JSON.objectNode();
    order.putObject("spec").put("action", "Diagnose").put("bootID", "b").put(field, text);
    return NodeOrderJson.read(order);
  }

  private static NodeOrder owned(String text, String field) {
    ObjectNode order = JSON.objectNode();
    ObjectNode spec = order.putObject("spec").put("action", "Diagnose").put("bootID", "b");
    spec.putObject("remediation").put(field, text);
    return NodeOrderJson.read(order);
  }

  private static RemediationProgress progress(String text, String field) {
    return RemediationProgressJson.read(JSON.objectNode().put("phase", "Done").put(field, text));
  }

  private static RemediationProgress condition(String text, String field) {
    ObjectNode status = JSON.objectNode().put("phase", "Done");
    status.putArray("conditions").addObject().put("type", "Succeeded").put(field, text);
    return RemediationProgressJson.read(status);
  }

  private static Step diagnosed(String message, String phase, String name) {
    return diagnose(message, phase, name);
  }

  private static Step diagnose(String message, String phase, String name) {
    ObjectNode order = (ObjectNode) Situations.order("Diagnose", "{}");
    ObjectNode status = order.putObject("status").put("phase", phase).put("message", message);
    status.set("evidence", evidence(name, "name"));
    return RemediationRules.common(
            situation(request(EVIDENCE), node(false, null, true), order, Duration.ZERO),
            Optional.empty())
        .orElseThrow();
  }
}
