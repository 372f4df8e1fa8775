package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;

/** A status that is about an older spec means that nobody follows the object any more. */
final class NewestSpecCounts implements Rule {
  @Override
  public String name() {
    return "newest-spec-counts";
  }

  @Override
  public String reason() {
    return "Once the world is quiet, each status is about the newest spec of its object.";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    end.objects()
        .forEach((path, object) -> {
          JsonNode observed = object.at("/status/observedGeneration");
          if (observed.isNumber() && ObjectFields.kind(object).equals("ClusterHealth")) {
            findings.check(
                this,
                end.at(),
                observed.asLong() == object.at("/metadata/generation").asLong(),
                () ->
                    "the status of %s is about generation %s of %s"
                        .formatted(path, observed, object.at("/metadata/generation")));
          }
        });
  }
}
