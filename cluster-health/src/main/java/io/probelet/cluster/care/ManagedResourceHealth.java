package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.probelet.checks.object.HealthCheckOptOut;
import io.probelet.checks.result.CheckResult;
import io.probelet.health.GoDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks a Gardener ManagedResource as its care controller does (CH-43). A healthy one may be
 * rolling out until the threshold; then it counts as stuck.
 */
record ManagedResourceHealth(Duration progressingThreshold, Instant now) {
  private static final String APPLIED = "ResourcesApplied";
  private static final String HEALTHY = "ResourcesHealthy";
  private static final String PROGRESSING = "ResourcesProgressing";

  CheckResult check(GenericKubernetesResource object) {
    if (HealthCheckOptOut.holdsFor(object)) {
      return CheckResult.healthy();
    }
    Map<?, ?> applied = condition(object, APPLIED);
    if ("False".equals(applied.get("status")) && "ApplyFailed".equals(applied.get("reason"))) {
      // the reason for a failed apply says more than an outdated generation
      return bad(APPLIED, applied);
    }
    long observed = number(object.get("status", "observedGeneration"));
    long wanted = Objects.requireNonNullElse(object.getMetadata().getGeneration(), 0L);
    if (observed != wanted) {
      return CheckResult.unhealthy(
          "observed generation outdated (" + observed + "/" + wanted + ")");
    }
    for (String type : List.of(APPLIED, HEALTHY)) {
      Map<?, ?> condition = condition(object, type);
      if ("False".equals(condition.get("status")) || "Unknown".equals(condition.get("status"))) {
        return bad(type, condition);
      }
    }
    return rollout(object);
  }

  private CheckResult rollout(GenericKubernetesResource object) {
    Map<?, ?> progressing = condition(object, PROGRESSING);
    if ("Unknown".equals(progressing.get("status"))) {
      return bad(PROGRESSING, progressing);
    }
    if ("True".equals(progressing.get("status")) && isOver(progressing)) {
      return CheckResult.unhealthy(
          "progressing for more than %s: %s"
              .formatted(GoDuration.format(progressingThreshold), text(progressing, "message")));
    }
    List<String> missing = new ArrayList<>();
    for (String type : List.of(APPLIED, HEALTHY, PROGRESSING)) {
      if (condition(object, type).isEmpty()) {
        missing.add(type);
      }
    }
    return missing.isEmpty()
        ? CheckResult.healthy()
        : CheckResult.unhealthy("conditions not reported yet: " + String.join(", ", missing));
  }

  private boolean isOver(Map<?, ?> condition) {
    try {
      return !Instant.parse(text(condition, "lastTransitionTime"))
          .plus(progressingThreshold)
          .isAfter(now);
    } catch (DateTimeException unreadable) {
      return true; // the start is unknown, so it may have taken too long already
    }
  }

  private static CheckResult bad(String type, Map<?, ?> condition) {
    return CheckResult.unhealthy(
        "condition \"%s\" is %s: %s"
            .formatted(type, text(condition, "status"), text(condition, "message")));
  }

  private static Map<?, ?> condition(GenericKubernetesResource object, String type) {
    if (object.get("status", "conditions") instanceof List<?> conditions) {
      for (Object condition : conditions) {
        if (condition instanceof Map<?, ?> fields && type.equals(fields.get("type"))) {
          return fields;
        }
      }
    }
    return Map.of();
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  private static long number(Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
