package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.util.Locale;

/** The lease of a node tells others that work on nodes to keep away from it. */
final class LeaseIsHeld implements Rule {
  /** The leader notices at its next renewal that etcd was restored, and knows old leases before. */
  private static final long NOTICED = Duration.ofSeconds(5).toNanos();

  private final Facts facts;
  private long restored = -NOTICED;

  LeaseIsHeld(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "lease-is-held";
  }

  @Override
  public String reason() {
    return "A remediation is created only while its NodeHealthCheck holds the node's lease (R-14).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof Restored) {
      restored = event.at();
    }
    if (!(event instanceof Written write)
        || write.before() != null
        || write.after() == null
        || write.at() - restored < NOTICED) {
      return;
    }
    JsonNode created = write.after();
    Remediations.owner(created)
        .ifPresent(check -> {
          String node = Remediations.node(created).toLowerCase(Locale.ROOT);
          String holder =
              facts
                  .object(Remediations.NODE_LEASES + node)
                  .map(lease -> lease.at("/spec/holderIdentity").asText())
                  .orElse("nobody");
          findings.check(
              this,
              write.at(),
              holder.equals("NodeHealthCheck-" + check),
              () ->
                  "%s created %s while %s holds the lease of %s"
                      .formatted(write.process(), write.path(), holder, node));
        });
  }
}
