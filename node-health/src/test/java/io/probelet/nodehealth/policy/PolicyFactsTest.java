package io.probelet.nodehealth.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.policy.PolicyFacts.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFactsTest {
  private static final Instant NOW = Instant.parse("2026-06-10T12:00:00Z");

  /** Each node's name is how long ago it was remediated. */
  private static PastRemediation[] past(String ages) {
    return words(ages).stream()
        .map(age ->
            new PastRemediation(age, "RebootRemediation", NOW.minus(Duration.parse("PT" + age))))
        .toArray(PastRemediation[]::new);
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : Arrays.asList(text.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                  |                   |                   |               | ",
        "{}                                  | 1H                |                   |               | ",
        "{}                                  | 5M 59M59S 1H -2M  | 59M59S 5M -2M     | 5M 59M59S -2M | 1S",
        "{}                                  | -2M               | -2M               | -2M           | 62M",
        "{backstop: {times: 9, within: 59m}} | 59M 59M59S        | 59M59S 59M        | 59M 59M59S    | 1S",
        "{backstop: {times: 9, within: 1h}}  | 59M 1H            | 59M               | 59M           | 1M",
        "{backstop: {times: 9, within: 2h}}  | 2H 5M 1H55M       | 1H55M 5M          | 5M            | 5M",
        "{backstop: {times: 9, within: 24h}} | 50M 20H           | 20H 50M           | 50M           | 10M",
        "{backstop: {times: 9, within: 24h}} | 20H               | 20H               |               | 4H",
        "{maxNode: 1}                        | 720H 719H59M      | 719H59M           |               | 1M",
        "{maxNode: 1}                        | 100H 9M           | 100H 9M           | 9M            | 51M",
      })
  @DisplayName(
      "ACT-77, ACT-79 what is remembered, oldest first, what of it is of the last hour, and when that changes")
  void history(String spec, String history, String remembered, String lastHour, String change) {
    State state = Policies.state(spec, 9, past(history));
    assertThat(PolicyHistory.kept(state.history(), state.policy().limits(), NOW))
        .extracting(PastRemediation::node)
        .containsExactlyElementsOf(words(remembered));
    assertThat(state.lastHour(NOW))
        .extracting(PastRemediation::node)
        .containsExactlyElementsOf(words(lastHour));
    assertThat(state.nextChange(NOW).map(next -> Duration.between(NOW, next)).orElse(null))
        .isEqualTo(change == null ? null : Duration.parse("PT" + change));
  }

  @Test
  @DisplayName("ACT-79 of those of one moment the nodes are in order of their names")
  void sameMoment() {
    PastRemediation b = new PastRemediation("b", "RebootRemediation", NOW);
    PastRemediation a = new PastRemediation("a", "RebootRemediation", NOW);
    State state = Policies.state("{}", 9, b, a);
    assertThat(PolicyHistory.kept(state.history(), state.policy().limits(), NOW))
        .containsExactly(a, b);
  }

  @Test
  @DisplayName("ACT-70 nothing is limited without a policy, if that there is none is known")
  void limitsNothing() {
    assertThat(PolicyFacts.NONE.isEmpty()).isTrue();
    assertThat(PolicyFacts.unknown("no right to list").isEmpty()).isFalse();
    PolicyNode atWork = PolicyNode.of("n1", Map.of());
    assertThat(new PolicyFacts(List.of(Policies.state("{}", 9)), List.of(atWork), null).isEmpty())
        .isFalse();
    assertThat(new PolicyFacts(List.of(), List.of(atWork), null).isEmpty()).isTrue();
  }
}
