package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.Locale;

/** The lease of a node tells others that work on nodes to keep away from it. */
final class LeaseIsHeld implements Rule {
  private final Facts facts;

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
    if (!(event instanceof Written write) || write.before() != null || write.after() == null) {
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
