package io.probelet.health;

import static io.probelet.health.ConditionStatus.TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConditionsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Condition A = Condition.initial("A", NOW);
  private static final Condition B = Condition.initial("B", NOW);
  private static final Condition C = Condition.initial("C", NOW);
  private static final Conditions BOTH = new Conditions(List.of(A, B));

  @Test
  @DisplayName("CH-2 the same type is replaced in its place, a new one appended, others untouched")
  void merge() {
    Condition newA = A.update(TRUE, "Fine", "All is well.", List.of(), NOW);

    assertThat(BOTH.merge(List.of(C, newA)).list()).containsExactly(newA, B, C);
  }

  @Test
  @DisplayName("CH-2 merging nothing changes nothing")
  void mergeNothing() {
    assertThat(BOTH.merge(List.of())).isEqualTo(BOTH);
  }

  @Test
  @DisplayName("CH-2 of a duplicate type the first counts")
  void duplicates() {
    Condition second = A.update(TRUE, "Later", "Too late.", List.of(), NOW);
    Conditions twice = new Conditions(List.of(A, B, second));

    assertThat(twice.get("A")).contains(A);
    assertThat(twice.merge(List.of(C)).list()).containsExactly(A, B, C);
  }

  @Test
  @DisplayName("CH-2 registered types can be removed, absent ones are ignored")
  void without() {
    assertThat(BOTH.without(Set.of("A", "X")).list()).containsExactly(B);
  }

  @Test
  @DisplayName("CH-2 a missing type starts as not checked")
  void getOrInitial() {
    assertThat(BOTH.getOrInitial("B", NOW)).isSameAs(B);
    assertThat(Conditions.NONE.getOrInitial("A", NOW)).isEqualTo(A);
  }
}
