package io.probelet.document.selector;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.RandomCase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The index finds what a comparison with everything finds. */
class LabelIndexTest {
  private record Named(int number, LabelSelector selector) {}

  private static Map<String, String> labels(RandomCase random, int most) {
    Map<String, String> labels = new HashMap<>();
    for (int i = random.between(0, most); i > 0; i--) {
      labels.put("k" + random.between(0, 3), "v" + random.between(0, 2));
    }
    return labels;
  }

  @Test
  @DisplayName("everything that selects an object is found, in order")
  void sameAsAll() {
    RandomCase.tries(50, LabelIndexTest::holds);
  }

  private static void holds(RandomCase random) {
    List<Named> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(new Named(i, new LabelSelector(labels(random, 3), List.of())));
    }
    LabelIndex<Named> index =
        new LabelIndex<>(all.reversed(), Named::selector, Comparator.comparingInt(Named::number));
    Map<String, String> object = labels(random, 6);
    assertThat(index.selecting(object))
        .as("labels %s", object)
        .isEqualTo(all.stream().filter(each -> each.selector().matches(object)).toList());
  }
}
