package io.probelet.nodehealth.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.policy.PastRemediation;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The histories of policies, as they are kept. */
class PolicyJsonTest {
  private static final PastRemediation PAST =
      new PastRemediation("n1", "RebootRemediation", Instant.parse("2026-06-10T12:00:00Z"));

  private final ObjectNode policy = policy();

  private static ObjectNode policy() {
    ObjectNode policy = new ObjectMapper().createObjectNode();
    policy.withObject("/metadata").put("name", "p");
    policy
        .withObject("/status")
        .put("held", 3)
        .putObject("recent")
        .put("2026-06-10T12:00:00Z n1", "RebootRemediation")
        .put("2026-06-10T12:00:00.000Z n1", "RebootRemediation")
        .put("a stranger's", "key");
    return policy;
  }

  @Test
  @DisplayName("ACT-79 a packed history says the same, and the rest of the policy stays")
  void packed() {
    ObjectNode packed = PolicyJson.packed(policy);
    assertThat(PolicyJson.recent(packed)).isEqualTo(PolicyJson.recent(policy)).contains(PAST);
    assertThat(PolicyJson.foreign(packed))
        .isEqualTo(PolicyJson.foreign(policy))
        .containsExactly("2026-06-10T12:00:00.000Z n1", "a stranger's");
    assertThat(packed.at("/status/held").intValue()).isEqualTo(3);
    assertThat(policy.at("/status/recent").isObject()).as("the policy itself").isTrue();
    assertThat(PolicyJson.packed(packed)).isEqualTo(packed);
  }

  @Test
  @DisplayName("ACT-79 policies are the same if their histories are")
  void equal() {
    JsonNode packed = PolicyJson.packed(policy);
    assertThat(packed).isEqualTo(PolicyJson.packed(policy()));
    policy.withObject("/status/recent").put("2026-06-10T13:00:00Z n1", "RebootRemediation");
    assertThat(packed).isNotEqualTo(PolicyJson.packed(policy));
  }

  @Test
  @DisplayName("ACT-79 a policy without a history, or without a status, has none")
  void none() {
    policy.withObject("/status").remove("recent");
    assertThat(PolicyJson.recent(PolicyJson.packed(policy))).isEmpty();
    policy.remove("status");
    assertThat(PolicyJson.recent(PolicyJson.packed(policy))).isEmpty();
  }
}
