package io.probelet.controller.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pods get the readiness gate, and that nothing else is ever changed. */
class ReadinessGateReviewsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ONE = "{\"conditionType\":\"probelet.io/ready\"}";
  private static final String FIRST =
      "[{\"op\":\"add\",\"path\":\"/spec/readinessGates\",\"value\":[" + ONE + "]}]";
  private static final String NEXT =
      "[{\"op\":\"add\",\"path\":\"/spec/readinessGates/-\",\"value\":" + ONE + "}]";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "readiness by annotation     |web: {readiness: {tcpSocket: {port: 80}}}||first",
        "as JSON                     |{\"web\": {\"readiness\": {\"period\": \"1s\"}}}||first",
        "of any container            |{a: {liveness: {}}, web: {readiness: {}}}||first",
        "beside another gate         |web: {readiness: {}}|[{\"conditionType\": \"example.com/up\"}]|next",
        "beside an empty list        |web: {readiness: {}}|[]|next",
        "the gate is there           |web: {readiness: {}}|[{\"conditionType\": \"example.com/up\"}, {\"conditionType\": \"probelet.io/ready\"}]|",
        "no annotation               |||",
        "startup only                |web: {startup: {tcpSocket: {port: 80}}}||",
        "readiness is no probe       |web: {readiness: yes}||",
        "a container of that name    |readiness: {liveness: {}}||",
        "no mapping                  |[web]||",
        "no YAML                     |web: {readiness: ||",
        "gates that are no list      |web: {readiness: {}}|{\"a\": \"b\"}|"
      })
  @DisplayName("D-21 pods with readiness by annotation get the gate, once")
  void table(String name, String annotation, String gates, String expected) throws IOException {
    ObjectNode review = review(annotation, gates);
    JsonNode response = answer(review);
    String patch = expected == null ? "" : expected.equals("first") ? FIRST : NEXT;
    assertThat(patch(response)).isEqualTo(patch);
    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.path("uid").asText()).isEqualTo("7");
    assertThat(response.has("patchType")).isEqualTo(expected != null);
  }

  @ParameterizedTest
  @CsvSource({
    "/operation, UPDATE",
    "/operation, DELETE",
    "/kind/kind, Deployment",
    "/kind/group, apps",
    "/subResource, ephemeralcontainers"
  })
  @DisplayName("D-21 nothing but a new pod gets it")
  void others(String pointer, String value) throws IOException {
    ObjectNode review = review("web: {readiness: {}}", null);
    assertThat(patch(answer(review))).isEqualTo(FIRST);
    int last = pointer.lastIndexOf('/');
    JsonNode request = review.path("request");
    JsonNode at = last == 0 ? request : request.at(pointer.substring(0, last));
    ((ObjectNode) at).put(pointer.substring(last + 1), value);
    assertThat(patch(answer(review))).isEmpty();
  }

  @Test
  @DisplayName("D-21 the image of a static pod stays as its kubelet made it")
  void mirror() throws IOException {
    ObjectNode review = review("web: {readiness: {}}", null);
    ((ObjectNode) review.at("/request/object/metadata/annotations"))
        .put("kubernetes.io/config.mirror", "x");
    assertThat(patch(answer(review))).isEmpty();
  }

  @Test
  @DisplayName("Attack: annotations that are large, deep or grow by aliases change nothing")
  void hostile() throws IOException {
    String padded = "web: {readiness: {}} #" + "x".repeat(32 * 1024);
    assertThat(patch(answer(review(padded, null)))).isEmpty();
    assertThat(patch(answer(review("web: " + "[".repeat(30_000), null)))).isEmpty();
    StringBuilder aliases = new StringBuilder("a0: &a0 {readiness: {}}\n");
    for (int i = 1; i < 40; i++) {
      aliases.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(patch(answer(review(aliases.toString(), null)))).isEmpty();
  }

  @Test
  @DisplayName(
      "Attack: whatever a review has in any place, the answer allows and adds a gate at most")
  void anyPlace() throws IOException {
    String[] odd = {"null", "1", "\"x\"", "[]", "{}", "true"};
    ObjectNode whole = review("web: {readiness: {}}", "[]");
    for (String pointer : pointers(whole, "")) {
      for (String value : odd) {
        ObjectNode review = whole.deepCopy();
        int last = pointer.lastIndexOf('/');
        JsonNode parent = review.at(pointer.substring(0, last));
        ((ObjectNode) parent).set(pointer.substring(last + 1), JSON.readTree(value));
        JsonNode response = answer(review);
        assertThat(response.path("allowed").asBoolean()).as(pointer + value).isTrue();
        assertThat(patch(response)).as(pointer + value).isIn("", FIRST, NEXT);
      }
    }
    assertThat(answer(JSON.createObjectNode()).path("allowed").asBoolean()).isTrue();
  }

  private static Iterable<String> pointers(JsonNode node, String path) {
    List<String> all = new ArrayList<>();
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!name.contains("/")) {
        all.add(path + "/" + name);
        pointers(node.get(name), path + "/" + name).forEach(all::add);
      }
    }
    return all;
  }

  private static ObjectNode review(String annotation, String gates) throws IOException {
    ObjectNode review =
        (ObjectNode)
            JSON.readTree(
                """
                {"request": {"uid": "7", "operation": "CREATE", "kind": {"group": "", "version": "v1",
                  "kind": "Pod"}, "object": {"metadata": {"generateName": "web-", "annotations": {"a": "b"}},
                  "spec": {"containers": [{"name": "web"}]}}}}
                """);
    if (annotation != null) {
      ((ObjectNode) review.at("/request/object/metadata/annotations"))
          .put("probelet.io/probes", annotation);
    }
    if (gates != null) {
      ((ObjectNode) review.at("/request/object/spec")).set("readinessGates", JSON.readTree(gates));
    }
    return review;
  }

  private static JsonNode answer(ObjectNode review) {
    return ReadinessGateReviews.answer(review).path("response");
  }

  private static String patch(JsonNode response) throws IOException {
    if (!response.has("patch")) {
      return "";
    }
    JsonNode patch = JSON.readTree(response.path("patch").binaryValue());
    assertThat(patch).isInstanceOf(ArrayNode.class).hasSize(1);
    return patch.toString();
  }
}
