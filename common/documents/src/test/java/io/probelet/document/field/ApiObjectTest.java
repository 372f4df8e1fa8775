package io.probelet.document.field;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** API objects are read like objects of files. */
class ApiObjectTest {
  private final Problems problems = Problems.ofObject("Thing one");

  private Field read(String json) {
    return ApiObject.read(parsed(json), problems);
  }

  private static JsonNode parsed(String json) {
    try {
      return new ObjectMapper().readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  @DisplayName("a problem names the object instead of file and line, with path, value and rule")
  void problem() {
    Fields spec =
        read("{'spec': {'a': 1, 'b': true, 'other': []}}").object().field("spec").object();
    spec.field("a").text();
    spec.field("a").text();
    spec.field("b").int32(0);
    spec.rejectUnknown(Set.of());
    assertThat(problems.all())
        .extracting(Problem::toString)
        .containsExactly(
            "Thing one: error: spec.a: Invalid value: 1: must be a string; put it in quotes",
            "Thing one: error: spec.b: Invalid value: true: must be an integer",
            "Thing one: warning: spec.other: unknown field");
    assertThat(problems.all().getFirst().text())
        .isEqualTo("spec.a: Invalid value: 1: must be a string; put it in quotes");
  }

  @Test
  @DisplayName("a missing object of a review is read as an absent field")
  void missing() {
    assertThat(ApiObject.read(MissingNode.getInstance(), problems).isPresent()).isFalse();
    assertThat(problems.all()).isEmpty();
  }

  @Test
  @DisplayName("status and managed fields are skipped, and the object stays unchanged")
  void leftOut() {
    JsonNode object =
        parsed("{'metadata': {'managedFields': [1]}, 'spec': {'status': 's'}, 'status': {}}");
    JsonNode copy = object.deepCopy();
    Fields read = ApiObject.read(object, problems).object();
    assertThat(read.names()).containsExactly("metadata", "spec");
    assertThat(read.field("metadata").isEmpty()).isTrue();
    assertThat(read.field("spec").object().field("status").text("")).isEqualTo("s");
    assertThat(object).isEqualTo(copy);
  }

  @Test
  @DisplayName("an object that is too deep is rejected with the reason")
  void tooDeep() {
    Field root = read("{'a': " + "[".repeat(200) + "]".repeat(200) + "}");
    assertThat(root.isPresent()).isFalse();
    assertThat(problems.all())
        .extracting(Problem::toString)
        .singleElement()
        .asString()
        .startsWith("Thing one: error: is nested more than 64 levels deep");
  }

  @ParameterizedTest
  @CsvSource({
    "1h30m, PT1H30M",
    "0s, PT0S",
    "+1s,",
    "-1s,",
    "0,",
    ".5s,",
    "5,",
    "300000000h,",
  })
  @DisplayName("a duration follows the pattern of the resource definition")
  void durations(String text, Duration expected) {
    assertThat(ApiDuration.read(read("'" + text + "'"))).isEqualTo(expected);
    assertThat(problems.errors()).isEqualTo(expected == null ? 1 : 0);
  }

  @Test
  @DisplayName("a duration with very many terms is rejected before matching")
  void endlessDuration() {
    assertThat(ApiDuration.read(read("'" + "1s".repeat(1_000_000) + "'"))).isNull();
    assertThat(problems.all().getFirst().text())
        .endsWith("must be a duration such as 90s, 1.5h or 2h45m");
    assertThat(ApiDuration.readSigned(read("'-1s'"))).isEqualTo(Duration.ofSeconds(-1));
  }
}
