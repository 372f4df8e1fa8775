package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import java.time.Duration;
import java.util.Set;

/**
 * A remediator that waits for the next event keeps its node cordoned, and holds up the next one.
 */
final class RemediatorsGoOn implements Rule {
  private static final String FINALIZER = "probelet.io/remediator";

  /** Each remediation has its turn at least every minute (ACT-11). */
  private static final Duration TURN = Duration.ofSeconds(70);

  /** Until what may be undone is undone: an order that is withdrawn, a node that is uncordoned. */
  private static final Duration UNDONE = Duration.ofSeconds(90);

  /** Longer than any kind may take with the templates of a world. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final Facts facts;
  private final Calm calm = new Calm("remediators");
  private final Overdue overdue = new Overdue();

  RemediatorsGoOn(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "remediators-go-on";
  }

  @Override
  public String reason() {
    return "While neither API server nor controllers are disturbed, each remediation of ours ends,"
        + " is given up and is undone in time (ACT-5, ACT-6, ACT-11, ACT-38).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof WorldEvent.Disturbed || event instanceof WorldEvent.Restored) {
      overdue.clear();
    }
    if (calm.isAt(event)) {
      Remediations.all(facts).filter(RemediatorsGoOn::isOurs).forEach(this::look);
      overdue.check(this, event.at(), findings);
    }
  }

  private static boolean isOurs(JsonNode remediation) {
    return remediation.path("apiVersion").asText().startsWith("probelet.io/");
  }

  private void look(JsonNode remediation) {
    String what =
        "%s %s of %s"
            .formatted(
                ObjectFields.kind(remediation),
                ObjectFields.uid(remediation),
                Remediations.node(remediation));
    String phase = remediation.at("/status/phase").asText();
    boolean over = Set.of("Done", "Failed").contains(phase);
    JsonNode finalizers = remediation.at("/metadata/finalizers");
    if (ObjectFields.isDeleting(remediation)) {
      if (ObjectFields.items(finalizers).anyMatch(each -> each.asText().equals(FINALIZER))) {
        overdue.note(what + " has been deleted and is not undone", UNDONE);
      }
    } else if (!over) {
      if (ObjectFields.annotation(remediation, Remediations.TIMED_OUT).isPresent()) {
        overdue.note(what + " was given up and goes on", TURN);
      } else if (!Set.of("", "Pending", "Held").contains(phase)) {
        overdue.note(what + " does not end", LONGEST);
      } else if (!phase.equals("Held")) {
        overdue.note(what + " does not begin", TURN);
      }
    }
  }
}
