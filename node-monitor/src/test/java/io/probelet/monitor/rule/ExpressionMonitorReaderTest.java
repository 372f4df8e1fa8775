package io.probelet.monitor.rule;

import static io.probelet.monitor.MonitorFiles.read;
import static io.probelet.monitor.MonitorFiles.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.monitor.MonitorFiles.Reading;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Consequence.OnCondition;
import java.util.Collections;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionMonitorReaderTest {
  private static final String FILE =
      """
      {'plugin': 'expression', 'conditions': [
        {'type': 'Bad', 'reason': 'Good', 'message': 'm'},
        {'type': 'Worse', 'reason': 'Good', 'message': 'm'}], 'rules': [%s]}\
      """;
  private static final String RULE =
      "{'condition': 'Bad', 'reason': 'R', 'message': 'm', 'when': 'conditions.DiskFull.status != conditions.Ready.status'}";

  @Test
  @DisplayName("B-25 every field is read")
  void everything() {
    Monitor.Expressions monitor = (Monitor.Expressions) read(FILE.formatted(RULE));
    assertThat(monitor.source()).isEqualTo("node-expressions");
    assertThat(monitor.metricsReporting()).isTrue();
    assertThat(monitor.conditions()).extracting(ConditionSpec::type).contains("Bad", "Worse");
    assertThat(monitor.rules())
        .singleElement()
        .satisfies(rule -> {
          assertThat(rule.consequence())
              .isEqualTo(new OnCondition("Bad", "R", EvidenceThreshold.NONE));
          assertThat(rule.message()).isEqualTo("m");
          assertThat(rule.when().text()).startsWith("conditions.DiskFull");
        });
    assertThat(read(FILE.formatted(RULE))).as("B-12 unchanged").isEqualTo(monitor);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'condition': 'Bad' | 'condition': 'Else' | rules[0].condition: Invalid value: \"Else\": must be one of the types in conditions",
        "'reason': 'R' | 'reason': '' | rules[0].reason: Required value: one word in UpperCamelCase",
        "'message': 'm' | 'massage': 'm' | rules[0].message: Required value: what it means when the expression is true",
        "'message': 'm' | 'message': 'm', 'debounce': '5s' | rules[0].debounce: unknown field; allowed: condition, reason, message, when",
        "'when': | 'if': | rules[0].when: Required value: an expression over conditions",
        "conditions.DiskFull.status | conditions.DiskFull.message | line 1, column 20: unknown field 'message'; fields of condition: age, began,",
        "conditions.DiskFull.status | conditions.DiskFull.age | line 1, column 25: != needs two values of the same type",
        "conditions.DiskFull.status | events.OOMKilling | line 1, column 1: unknown name 'events'; variables: conditions;",
        "conditions.DiskFull.status | conditions.Worse.status | line 1, column 11: must not read Worse: an expression sets it",
        "conditions.DiskFull.status | conditions[\\\"Worse\\\"].status | line 1, column 11: must not read Worse: an expression sets it",
        "'conditions.DiskFull.status | '\\\"Bad\\\" in conditions \\u0026\\u0026 conditions.DiskFull.status | line 1, column 7: must not read Bad: an expression sets it",
      })
  @DisplayName(
      "B-12, B-25 errors name their field, and errors of an expression its line and column")
  void wrong(String good, String bad, String expected) {
    Reading reading = reading(FILE.formatted(RULE.replace(good.strip(), bad.strip())));
    assertThat(reading.monitor()).isEmpty();
    assertThat(reading.problems())
        .extracting(Problem::text)
        .anySatisfy(text -> assertThat(text).contains(expected.strip()));
  }

  @Test
  @DisplayName("B-25 a file has at most 32 expressions, and a message 1,024 characters")
  void limits() {
    assertThat(reading(FILE.formatted(rules(0))).problems())
        .extracting(Problem::text)
        .containsExactly("rules: Required value: nothing sets a condition without a rule");
    assertThat(reading(FILE.formatted(rules(32))).monitor()).isPresent();
    assertThat(reading(FILE.formatted(rules(33))).problems())
        .extracting(Problem::text)
        .containsExactly("rules: must have at most 32 entries, found 33");
    assertThat(reading(FILE.formatted(message(1024))).monitor()).isPresent();
    assertThat(reading(FILE.formatted(message(1025))).problems())
        .extracting(Problem::text)
        .containsExactly("rules[0].message: must be at most 1,024 characters, found 1,025");
  }

  private static String rules(int count) {
    return String.join(",", Collections.nCopies(count, RULE));
  }

  private static String message(int length) {
    return RULE.replace("'message': 'm'", "'message': '" + "m".repeat(length) + "'");
  }
}
