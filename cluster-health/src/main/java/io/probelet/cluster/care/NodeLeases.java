package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts expired leases of kubelets (CH-55). If many expire at once, Gardener scales down the
 * controllers that would evict pods. Leases without a node do not count.
 */
final class NodeLeases {
  /** The namespace of the kubelets' leases. */
  static final String NAMESPACE = "kube-node-lease";

  private static final int MAX_PERCENT = 20;

  /** The kubelet's default, if a lease has no duration. */
  private static final int SECONDS = 40;

  private final Set<String> nodes;
  private final Instant now;
  private int all;
  private int expired;

  NodeLeases(Set<String> nodes, Instant now) {
    this.nodes = nodes;
    this.now = now;
  }

  void add(Lease lease) {
    if (nodes.contains(lease.getMetadata().getName())) {
      all++;
      expired += isExpired(lease.getSpec()) ? 1 : 0;
    }
  }

  /** A lease that was never renewed counts as expired. */
  private boolean isExpired(@Nullable LeaseSpec spec) {
    if (spec == null || spec.getRenewTime() == null) {
      return true;
    }
    Integer seconds = spec.getLeaseDurationSeconds();
    return spec.getRenewTime()
        .toInstant()
        .plus(Duration.ofSeconds(seconds == null ? SECONDS : seconds))
        .isBefore(now);
  }

  /** {@return the problem, with figures; empty if there is none} */
  Optional<String> problem() {
    int percent = all == 0 ? 0 : 100 * expired / all;
    return percent < MAX_PERCENT
        ? Optional.empty()
        : Optional.of(
            "%d%% of the node leases in %s have expired (%d/%d)."
                .formatted(percent, NAMESPACE, expired, all));
  }
}
