package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.AdmissionRefuses;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Thirteen events of one cause hide those of others. */
final class OneEventForOneCause implements Rule {
  /** Reasons of which a pod has one cause for each of its probes and containers. */
  private static final Set<String> REASONS = Set.of("Unhealthy", "Killing");

  /** A writer that waits after failures may write so long after the last one. */
  private static final long LATE = Duration.ofMinutes(5).toNanos();

  /** The name of the event of each cause. */
  private final Map<String, String> names = new HashMap<>();

  /** How many policies refuse writes, and when the last one has stopped. */
  private int refusing;

  private long refused = -LATE;

  @Override
  public String name() {
    return "one-event-for-one-cause";
  }

  @Override
  public String reason() {
    return "A cause has one event, which a restarted agent goes on with (D-6).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof AdmissionRefuses refuses) {
      refusing += refuses.begins() ? 1 : -1;
      refused = refuses.at();
    } else if (event instanceof Written write
        && write.process().startsWith("agent")
        && write.before() == null
        && write.after() != null
        && ObjectFields.kind(write.after()).equals("Event")
        && REASONS.contains(write.after().path("reason").asText())) {
      String cause = cause(write.after());
      String known = names.putIfAbsent(cause, write.path());
      findings.check(
          this,
          write.at(),
          // A refused patch looks as if the name were another writer's, so that another is used.
          known == null
              || known.equals(write.path())
              || refusing > 0
              || write.at() - refused < LATE,
          () -> "%s created %s beside %s".formatted(write.process(), write.path(), known));
    }
  }

  private static String cause(JsonNode event) {
    String message = event.path("message").asText().toLowerCase(Locale.ROOT);
    String probe =
        message.contains("startup")
            ? "startup"
            : message.contains("liveness") ? "liveness" : "readiness";
    JsonNode object = event.path("involvedObject");
    return String.join(
        " ",
        object.path("uid").asText(),
        object.path("fieldPath").asText(),
        event.path("reason").asText(),
        event.path("type").asText(),
        probe);
  }
}
