package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.kernel.Machine;
import java.time.Duration;
import java.time.Instant;

/** Work without a leader is not done, and an agent without a heartbeat counts as gone. */
final class LeadersAreElected implements Rule {
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/";

  @Override
  public String name() {
    return "leaders-are-elected";
  }

  @Override
  public String reason() {
    return "Once the world is quiet, each lease of leaders and agents is held and renewed.";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    Instant now = Machine.START.plusNanos(end.at());
    end.objects()
        .forEach((path, lease) -> {
          JsonNode spec = lease.path("spec");
          if (path.startsWith(LEASES) && spec.hasNonNull("renewTime")) {
            Instant renewed = Instant.parse(spec.path("renewTime").asText());
            Duration valid = Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong());
            findings.check(
                this,
                end.at(),
                spec.hasNonNull("holderIdentity")
                    && !renewed.plus(valid).isBefore(now)
                    && !renewed.isAfter(now.plus(valid)),
                () ->
                    "%s was renewed by %s at %s, and it is %s"
                        .formatted(path, spec.path("holderIdentity").asText(), renewed, now));
          }
        });
  }
}
