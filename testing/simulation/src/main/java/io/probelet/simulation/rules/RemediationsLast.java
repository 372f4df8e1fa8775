package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A node that was created again is not healthy before its kubelet says so. */
final class RemediationsLast implements Rule {
  /** What was decided before the node was created may take effect this much later. */
  private static final long LATE = Duration.ofSeconds(45).toNanos();

  private final Facts facts;
  private final Map<String, Long> created = new HashMap<>();

  RemediationsLast(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "remediations-last";
  }

  @Override
  public String reason() {
    return "A remediation is not deleted while its node has not reported since it was created"
        + " (R-4).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (!(event instanceof Written write)) {
      return;
    }
    JsonNode before = write.before();
    JsonNode after = write.after();
    if (before == null && after != null && ObjectFields.kind(after).equals("Node")) {
      created.put(ObjectFields.name(after), write.at());
    }
    if (before != null
        && !ObjectFields.isDeleting(before)
        && (after == null || ObjectFields.isDeleting(after))
        && write.process().startsWith("controller")
        && Remediations.owner(before).isPresent()) {
      String name = Remediations.node(before);
      Optional<JsonNode> node = facts.object("/api/v1/nodes/" + name);
      findings.check(
          this,
          write.at(),
          node.isEmpty()
              || ObjectFields.condition(node.get(), "Ready").isPresent()
              || write.at() - created.getOrDefault(name, 0L) < LATE,
          () ->
              "%s deleted %s although %s has not reported yet"
                  .formatted(write.process(), write.path(), name));
    }
  }
}
