package io.probelet.simulation.rules;

import io.probelet.simulation.api.ObjectFields;

/** A disabled NodeHealthCheck remediates nothing, and nobody may notice. */
final class ChecksStayEnabled implements Rule {
  @Override
  public String name() {
    return "checks-stay-enabled";
  }

  @Override
  public String reason() {
    return "Once the world is quiet, no valid NodeHealthCheck is disabled (R-3, NHC-5).";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    end.objects()
        .forEach((path, object) -> {
          if (ObjectFields.kind(object).equals("NodeHealthCheck")) {
            findings.check(
                this,
                end.at(),
                !object.at("/status/phase").asText().equals("Disabled"),
                () -> "%s is disabled: %s".formatted(path, object.at("/status/reason").asText()));
          }
        });
  }
}
