package io.probelet.simulation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static final List<Fault> FAULTS =
      IntStream.range(0, 20)
          .mapToObj(number ->
              new Fault(
                  List.of(FaultKind.values()).get(number),
                  Duration.ofSeconds(number),
                  Duration.ofSeconds(64),
                  number,
                  number))
          .toList();

  @Test
  @DisplayName("only the faults that are needed stay, as short as they may be")
  void shrinks() {
    Predicate<List<Fault>> breaks =
        faults ->
            faults.stream().anyMatch(each -> each.target() == 3 && each.length().toSeconds() >= 5)
                && faults.stream().anyMatch(each -> each.target() == 17);
    List<Fault> few = new Shrinker(breaks, 1_000).shrink(FAULTS);
    assertThat(few).extracting(Fault::target).containsExactly(3, 17);
    assertThat(few.getFirst().length()).isEqualTo(Duration.ofSeconds(8));
    assertThat(few.getLast().length()).isLessThanOrEqualTo(Duration.ofMillis(10));
  }

  @Test
  @DisplayName("a search ends after so many tries, with a list that breaks the rule")
  void tries() {
    int[] tries = {0};
    Predicate<List<Fault>> breaks =
        faults -> {
          tries[0]++;
          return faults.contains(FAULTS.get(7));
        };
    List<Fault> few = new Shrinker(breaks, 5).shrink(FAULTS);
    assertThat(few).contains(FAULTS.get(7)).hasSizeLessThan(20);
    assertThat(tries[0]).isEqualTo(5);
  }

  @Test
  @DisplayName("a seed always draws the same plan, of the allowed kinds, in order")
  void plans() {
    EnumSet<FaultKind> only = EnumSet.of(FaultKind.CRASH_AGENT, FaultKind.SLOW_SERVER);
    for (int seed = 0; seed < 50; seed++) {
      FaultPlan plan =
          FaultPlan.draw(new SplittableRandom(seed), Duration.ofHours(1), only, Set.of());
      assertThat(plan)
          .isEqualTo(
              FaultPlan.draw(new SplittableRandom(seed), Duration.ofHours(1), only, Set.of()));
      assertThat(plan.faults())
          .allMatch(each -> only.contains(each.kind()))
          .allMatch(each -> each.end().compareTo(Duration.ofHours(1)) <= 0)
          .isSortedAccordingTo(java.util.Comparator.comparing(Fault::at));
    }
  }
}
