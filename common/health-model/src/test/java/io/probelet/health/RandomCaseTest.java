package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RandomCaseTest {
  @Test
  @DisplayName("a failure names a seed, which reproduces the case")
  void again() {
    List<Integer> drawn = new ArrayList<>();
    assertThatThrownBy(() ->
            RandomCase.tries(
                1000,
                random -> {
                  drawn.add(random.between(0, 9));
                  assertThat(drawn.getLast()).isNotEqualTo(7);
                }))
        .hasMessageMatching("(?s)does not hold; try it again with -Dprobelet.seed=-?\\d+: .*")
        .satisfies(broken -> {
          String seed = broken.getMessage().replaceFirst("(?s).*seed=(-?\\d+): .*", "$1");
          System.setProperty("probelet.seed", seed);
          try {
            RandomCase.tries(1000, random -> assertThat(random.between(0, 9)).isEqualTo(7));
          } finally {
            System.clearProperty("probelet.seed");
          }
        });
  }

  @Test
  @DisplayName("every value within the bounds is drawn, and no other")
  void bounds() {
    Set<Object> drawn = new HashSet<>();
    RandomCase.tries(
        200,
        random -> {
          drawn.add(random.between(3, 5));
          drawn.add(String.valueOf(random.orNull(0.5, () -> "there")));
          drawn.add("list of " + random.list(0, 2, () -> "x").size());
          assertThat(random.map(2, () -> random.of("a", "b"), () -> 1)).hasSizeBetween(0, 2);
        });
    assertThat(drawn)
        .containsExactlyInAnyOrder(3, 4, 5, "null", "there", "list of 0", "list of 1", "list of 2");
  }
}
