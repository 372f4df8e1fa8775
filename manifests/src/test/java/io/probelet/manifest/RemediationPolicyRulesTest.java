package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** RemediationPolicies in files: the reader's rules, with the line that breaks them. */
class RemediationPolicyRulesTest {
  private static final String GOOD =
      """
      apiVersion: probelet.io/v1alpha1
      kind: RemediationPolicy
      metadata: {name: limits}
      spec:
        maxNodes: 10%
        windows: [{schedule: 0 22 * * SAT, duration: 4h}]
      """;

  @Test
  void aGoodOneHasNoProblem() {
    assertThat(Reading.of(GOOD).lines()).isEmpty();
  }

  @Test
  @DisplayName("ACT-71 an invalid one gets a refusal for each mistake, with its line")
  void refused() {
    String bad = GOOD.replace("v1alpha1", "v1").replace("10%", "ten").replace("windows", "window");
    assertThat(Reading.of(bad).lines())
        .containsExactly(
            "1:13: error: document 1: apiVersion: Unsupported value: \"probelet.io/v1\": supported"
                + " values: \"probelet.io/v1alpha1\"",
            "5:13: error: document 1: spec.maxNodes: Invalid value: \"ten\": must be a number of"
                + " nodes, 0 or more, or a percentage from 0% to 100%",
            "6:3: error: document 1: spec.window: unknown field, cannot enforce what it"
                + " limits; did you mean \"windows\"?");
  }

  @Test
  @DisplayName("lists of them are read, too")
  void list() {
    assertThat(
            Reading.of(
                    """
                    apiVersion: probelet.io/v1alpha1
                    kind: RemediationPolicyList
                    items:
                    - metadata: {name: limits}
                      spec: {maxPerHour: -1}
                    """)
                .lines())
        .anySatisfy(line -> assertThat(line).contains("items[0].spec.maxPerHour"));
  }
}
