package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeCensus;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is counted anew as things change is what would be counted from the beginning. */
class CensusCacheTest {
  private static final Instant NOW = FleetFixture.NOW;

  private static NodeHealthCheck check(String more) {
    CheckReading reading = CheckReading.of(FleetFixture.yaml(FleetFixture.checkYaml(more, "{}")));
    return Objects.requireNonNull(reading.valid());
  }

  @Test
  @DisplayName("After any changes of nodes, of the spec and of time it is as if counted anew")
  void sameAsAnew() {
    Random random = new Random(7);
    CensusCache cache = new CensusCache();
    List<NodeFacts> nodes = new ArrayList<>();
    Instant now = NOW;
    for (int round = 0; round < 200; round++) {
      for (int i = 0; i < 3; i++) {
        String name = "n-" + random.nextInt(12);
        nodes.removeIf(node -> node.name().equals(name));
        if (random.nextInt(4) > 0) {
          nodes.add(
              FleetFixture.reading(
                      FleetFixture.yaml(
                          FleetFixture.nodeYaml(
                                  name,
                                  random.nextBoolean() ? "True" : "False",
                                  Duration.ofSeconds(random.nextInt(900)))
                              .replace("worker", random.nextInt(5) == 0 ? "other" : "worker")))
                  .facts());
        }
      }
      now = now.plusSeconds(random.nextInt(120) - 20);
      NodeHealthCheck check = check(random.nextInt(9) == 0 ? "stormCooldownDuration: 5m" : "");
      cache.update(nodes, Set.of("workers"));
      NodeCensus kept = cache.census(check, now);
      NodeCensus anew = NodeCensus.of(check.spec(), nodes, now);
      assertThat(kept.observed()).isEqualTo(anew.observed());
      assertThat(kept.healthy()).isEqualTo(anew.healthy());
      assertThat(kept.unhealthy()).isEqualTo(anew.unhealthy());
      assertThat(kept.nextChange()).isEqualTo(anew.nextChange());
    }
  }
}
