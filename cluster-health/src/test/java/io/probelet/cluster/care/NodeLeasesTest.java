package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many kubelets' leases may have expired. */
class NodeLeasesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private static Lease lease(String node, @Nullable Integer age, @Nullable Integer seconds) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(node)
        .endMetadata()
        .withNewSpec()
        .withRenewTime(age == null ? null : NOW.minusSeconds(age).atZone(ZoneOffset.UTC))
        .withLeaseDurationSeconds(seconds)
        .endSpec()
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "5, 0,",
    "5, 1, 20% of the node leases in kube-node-lease have expired (1/5).",
    "6, 1,",
    "1, 1, 100% of the node leases in kube-node-lease have expired (1/1).",
    "0, 0,",
  })
  @DisplayName("CH-55 from 20 % on EveryNodeReady fails")
  void share(int all, int expired, @Nullable String problem) {
    Set<String> nodes = new HashSet<>();
    for (int i = 0; i < all; i++) {
      nodes.add("node-" + i);
    }
    NodeLeases leases = new NodeLeases(nodes, NOW);
    for (int i = 0; i < all; i++) {
      leases.add(lease("node-" + i, i < expired ? 41 : 40, 40));
    }
    leases.add(lease("gone", 1000, 40));
    assertThat(leases.problem().orElse(null)).isEqualTo(problem);
  }

  @Test
  @DisplayName("CH-55 what a lease does not say is not taken for granted")
  void incomplete() {
    assertThat(expired(lease("a", null, 40))).isTrue();
    assertThat(expired(lease("a", 41, null))).isTrue();
    assertThat(expired(lease("a", 39, null))).isFalse();
    Lease empty = lease("a", 1, 1);
    empty.setSpec(null);
    assertThat(expired(empty)).isTrue();
  }

  private static boolean expired(Lease lease) {
    NodeLeases leases = new NodeLeases(Set.of("a"), NOW);
    leases.add(lease);
    return leases.problem().isPresent();
  }

  @Test
  @DisplayName("CH-55 a node that fails is told first, then leases, then what is unknown")
  void review() {
    NodeLeases bad = new NodeLeases(Set.of("a"), NOW);
    bad.add(lease("a", null, 40));
    NodeReview review = new NodeReview(0);
    review.add(bad);
    assertThat(review.finding())
        .isEqualTo(
            new ConditionFinding.Unhealthy(
                "TooManyExpiredNodeLeases",
                "100% of the node leases in kube-node-lease have expired (1/1)."));
    NodeReview unknown = new NodeReview(0);
    unknown.unreadableLeases("node leases cannot be listed: not allowed");
    assertThat(unknown.finding())
        .isEqualTo(new ConditionFinding.Unknown("node leases cannot be listed: not allowed"));
    NodeReview few = new NodeReview(1);
    few.add(bad);
    assertThat(few.finding())
        .isInstanceOfSatisfying(
            ConditionFinding.Unhealthy.class,
            finding -> assertThat(finding.reason()).isEqualTo("MissingNodes"));
  }
}
