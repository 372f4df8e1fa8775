package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many of the leases that kubelets renew have expired (CH-55). When many have at once, Gardener
 * scales down the controllers that would evict pods. Leases of nodes that are gone do not count.
 */
final class NodeLeases {
  /** Where kubelets renew them. */
  static final String NAMESPACE = "kube-node-lease";

  private static final int MAX_PERCENT = 20;

  /** A kubelet's, where a lease does not say. */
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

  /** One that was never renewed has expired, too. */
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

  /** {@return what is wrong, with figures; empty if few enough have expired} */
  Optional<String> problem() {
    int percent = all == 0 ? 0 : 100 * expired / all;
    return percent < MAX_PERCENT
        ? Optional.empty()
        : Optional.of(
            "%d%% of the node leases in %s have expired (%d/%d)."
                .formatted(percent, NAMESPACE, expired, all));
  }
}
