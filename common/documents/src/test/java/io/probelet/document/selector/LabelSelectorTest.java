package io.probelet.document.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problems;
import io.probelet.document.selector.LabelSelector.Operator;
import io.probelet.document.selector.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading, validating and matching label selectors. */
class LabelSelectorTest {
  private final Problems problems = Problems.ofObject("selector");

  private LabelSelector read(String json) throws Exception {
    return LabelSelectorReader.read(
        ApiObject.read(new ObjectMapper().readTree(json.replace('\'', '"')), problems));
  }

  @Test
  @DisplayName("all parts of a selector are read")
  void everything() throws Exception {
    assertThat(
            read(
                """
                {'matchLabels': {'a': '', 'example.io/pool': 'x'}, 'matchExpressions': [
                  {'key': 'b', 'operator': 'In', 'values': ['1', '2']},
                  {'key': 'c', 'operator': 'NotIn', 'values': ['3']},
                  {'key': 'd', 'operator': 'Exists'},
                  {'key': 'e', 'operator': 'DoesNotExist', 'values': []}]}\
                """))
        .isEqualTo(
            new LabelSelector(
                Map.of("a", "", "example.io/pool", "x"),
                List.of(
                    new Requirement("b", Operator.IN, List.of("1", "2")),
                    new Requirement("c", Operator.NOT_IN, List.of("3")),
                    new Requirement("d", Operator.EXISTS, List.of()),
                    new Requirement("e", Operator.DOES_NOT_EXIST, List.of()))))
        .returns("a=,example.io/pool=x,b in (1,2),c notin (3),d,!e", LabelSelector::query);
    assertThat(read("{}")).isEqualTo(LabelSelector.EVERYTHING).returns("", LabelSelector::query);
    assertThat(problems.all()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'matchLabels': {'bad key!': 'x y'}} | matchLabels[bad key!]: Invalid key: must be a name of at most 63",
        "{'matchLabels': {'bad key!': 'x y'}} | matchLabels[bad key!]: Invalid value: \"x y\": must be empty or at most 63",
        "{'matchLabels': {'UPPER/a': 'x'}} | matchLabels[UPPER/a]: Invalid key",
        "{'matchLabels': {'a': 1}} | matchLabels[a]: Invalid value: 1: must be a string",
        "{'matchLabels': {'a': null}} | matchLabels[a]: Invalid value: null: must be a string",
        "{'matchLabels': []} | matchLabels: Invalid value: []: must be an object",
        "{'matchExpressions': [null]} | matchExpressions[0]: Invalid value: null: must be an object",
        "{'matchExpressions': [{'operator': 'Exists'}]} | matchExpressions[0].key: Required value: the label's name",
        "{'matchExpressions': [{'key': '-a', 'operator': 'Exists'}]} | matchExpressions[0].key: Invalid key",
        "{'matchExpressions': [{'key': 'a'}]} | matchExpressions[0].operator: Required value: In, NotIn",
        "{'matchExpressions': [{'key': 'a', 'operator': 'Is'}]} | matchExpressions[0].operator: Unsupported value: \"Is\"",
        "{'matchExpressions': [{'key': 'a', 'operator': 'In'}]} | matchExpressions[0].values: Required value: must not be empty",
        "{'matchExpressions': [{'key': 'a', 'operator': 'Exists', 'values': ['b']}]} | matchExpressions[0].values: Forbidden",
        "{'matchExpressions': [{'key': 'a', 'operator': 'In', 'values': ['x y']}]} | matchExpressions[0].values[0]: Invalid value: \"x y\"",
      })
  @DisplayName("what the API server would reject is rejected, by field")
  void refused(String json, String complaint) throws Exception {
    assertThat(read(json)).isNull();
    assertThat(problems.all())
        .extracting(Problem::text)
        .anySatisfy(text -> assertThat(text).startsWith(complaint.strip()));
  }

  @Test
  @DisplayName("an unknown field is a warning")
  void unknown() throws Exception {
    assertThat(read("{'matchlabels': {'a': 'b'}}")).isEqualTo(LabelSelector.EVERYTHING);
    assertThat(problems.all())
        .extracting(Problem::text)
        .containsExactly("matchlabels: unknown field; did you mean \"matchLabels\"?");
  }

  @Test
  @DisplayName("an unknown field in a requirement is a warning, and the rest counts")
  void unknownInRequirement() throws Exception {
    assertThat(read("{'matchExpressions': [{'key': 'a', 'operator': 'Exists', 'value': 'b'}]}"))
        .isEqualTo(
            new LabelSelector(Map.of(), List.of(new Requirement("a", Operator.EXISTS, List.of()))));
    assertThat(problems.all())
        .extracting(Problem::text)
        .containsExactly("matchExpressions[0].value: unknown field; did you mean \"values\"?");
  }

  @ParameterizedTest
  @CsvSource({
    "IN, x, true",
    "IN, y, false",
    "IN, , false",
    "NOT_IN, x, false",
    "NOT_IN, y, true",
    "NOT_IN, , true",
    "EXISTS, x, true",
    "EXISTS, , false",
    "DOES_NOT_EXIST, x, false",
    "DOES_NOT_EXIST, , true",
  })
  @DisplayName("a requirement selects by the label's value, or by its absence")
  void matches(Operator operator, String value, boolean selected) {
    List<String> values = operator.takesValues() ? List.of("w", "x") : List.of();
    LabelSelector selector =
        new LabelSelector(Map.of(), List.of(new Requirement("a", operator, values)));
    Map<String, String> labels = value == null ? Map.of("b", "x") : Map.of("a", value, "b", "x");
    assertThat(selector.matches(labels)).isEqualTo(selected);
    assertThat(selector.isEmpty()).isFalse();
  }

  @Test
  @DisplayName("labels and requirements must all hold")
  void all() {
    LabelSelector selector =
        new LabelSelector(
            Map.of("a", "1", "b", "2"), List.of(new Requirement("c", Operator.EXISTS, List.of())));
    assertThat(selector.matches(Map.of("a", "1", "b", "2", "c", "3"))).isTrue();
    assertThat(selector.matches(Map.of("a", "1", "b", "2"))).isFalse();
    assertThat(selector.matches(Map.of("a", "1", "c", "3"))).isFalse();
    assertThat(new LabelSelector(Map.of("a", "1"), List.of()).isEmpty()).isFalse();
    assertThat(LabelSelector.EVERYTHING.matches(Map.of())).isTrue();
  }

  @Test
  @DisplayName("a selector that the API server would reject cannot be created")
  void invalid() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LabelSelector(Map.of("bad key!", "x"), List.of()))
        .withMessageStartingWith("the label \"bad key!\" must be a name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LabelSelector(Map.of("a", "x y"), List.of()))
        .withMessageStartingWith("the value \"x y\" must be empty or");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Requirement("bad key!", Operator.EXISTS, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Requirement("a", Operator.IN, List.of("x y")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Requirement("a", Operator.IN, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Requirement("a", Operator.EXISTS, List.of("x")));
    assertThat(Operator.of("Is")).isEmpty();
    assertThat(Operator.of("NotIn")).contains(Operator.NOT_IN);
  }
}
