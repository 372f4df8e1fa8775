package io.probelet.web.incident;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How incidents repeat. */
class IncidentPatternTest {
  private static Incident at(String time, String image) {
    return IncidentExample.timeouts().at("2026-11-27T" + time + "Z", image);
  }

  private static List<ExplainedIncident> explained(Incident... incidents) {
    return new Incidents((_, _) -> List.of(incidents)).explained("", "", "");
  }

  @Test
  @DisplayName("a single incident has none, and a steady rhythm is named")
  void rhythm() {
    List<ExplainedIncident> found =
        explained(
            at("10:00:00", "a"), at("10:10:00", "a"), at("10:20:30", "a"), at("10:30:00", "a"));
    assertThat(found.getLast().pattern()).isEmpty();
    assertThat(found.getFirst().pattern()).isEqualTo("4 times in 30 min, about every 10 min");
  }

  @Test
  @DisplayName("irregular ones are counted only, and a change of the image is named")
  void sinceTheRollout() {
    List<Incident> all = new ArrayList<>();
    all.add(IncidentExample.ended(1, null, "Error").at("2026-11-27T08:00:00Z", "shop/web:1"));
    all.add(at("10:00:00", "shop/web:2"));
    all.add(at("10:01:00", "shop/web:2"));
    all.add(at("12:30:00", "shop/web:2"));
    assertThat(explained(all.toArray(Incident[]::new)).getFirst().pattern())
        .isEqualTo("3 times in 2 h, all since its image changed");
  }
}
