package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.engine.LoopBudget.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A4: what a pod may have under way and begin, whatever the others do. */
class LoopBudgetTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LoopBudget budget = new LoopBudget(new ProbeLimits(4, 10, 40, 100), 1, 0);

  /** Begins as many single probes as there may be. */
  private int beginAll(Pod pod, long now) {
    int begun = 0;
    while (budget.refusal(pod, 1, now) == null) {
      budget.begin(pod, 1, now);
      begun++;
    }
    return begun;
  }

  /** Begins and ends probes as long as more may begin. */
  private int beginAndEndAll(Pod pod, long now) {
    return beginAndEndAll(budget, pod, now);
  }

  private static int beginAndEndAll(LoopBudget budget, Pod pod, long now) {
    int begun = 0;
    while (budget.refusal(pod, 1, now) == null) {
      budget.begin(pod, 1, now);
      budget.end(pod, 1);
      begun++;
    }
    return begun;
  }

  @Test
  @DisplayName("running probes per pod are limited; an ended probe frees its place")
  void inFlight() {
    Pod pod = budget.open(0);
    assertThat(beginAll(pod, 0)).isEqualTo(4);
    assertThat(budget.refusal(pod, 1, 0)).isEqualTo(Reason.POD_BUDGET);
    budget.end(pod, 1);
    assertThat(budget.inFlight()).isEqualTo(3);
    assertThat(budget.refusal(pod, 1, 0)).isNull();
    assertThat(budget.refusal(pod, 2, 0)).isEqualTo(Reason.POD_BUDGET);
  }

  @Test
  @DisplayName("a pod begins so many probes a second, and twice as many after a quiet time")
  void perSecond() {
    Pod pod = budget.open(0);
    assertThat(beginAndEndAll(pod, 0)).isEqualTo(20);
    assertThat(beginAndEndAll(pod, SECOND)).isEqualTo(10);
    assertThat(beginAndEndAll(pod, SECOND + SECOND / 2)).isEqualTo(5);
    assertThat(beginAndEndAll(pod, 60 * SECOND)).isEqualTo(20);
  }

  @ParameterizedTest
  @CsvSource({"1,true", "4,true", "5,false", "4096,false"})
  @DisplayName("all parts of a combined handler count")
  void parts(int parts, boolean fits) {
    assertThat(budget.fits(parts)).isEqualTo(fits);
    assertThat(budget.message(Reason.POD_BUDGET, parts))
        .isEqualTo(
            fits
                ? "the pod asks for more than 4 probes at a time or 10 a second; probes beyond that are"
                    + " discarded"
                : "the probe has "
                    + parts
                    + " handlers, and a pod may have 4 under way; it is not run");
  }

  @Test
  @DisplayName("pods that fill the node leave every other pod its share of places")
  void nodeInFlight() {
    List<Pod> greedy = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      greedy.add(budget.open(0));
    }
    Pod honest = budget.open(0);
    assertThat(budget.refusal(honest, 1, 0)).isNull(); // it is known, and asks for nothing yet
    greedy.forEach(pod -> beginAll(pod, 0));
    assertThat(budget.inFlight()).isLessThan(40);
    assertThat(budget.refusal(greedy.getLast(), 1, 0)).isEqualTo(Reason.NODE_BUDGET);
    assertThat(beginAll(honest, 0)).isGreaterThanOrEqualTo(2);
  }

  @Test
  @DisplayName("one probe of each pod may always be under way, however many pods there are")
  void always() {
    for (int i = 0; i < 500; i++) {
      Pod pod = budget.open(0);
      assertThat(budget.refusal(pod, 1, i * SECOND)).isNull();
      budget.begin(pod, 1, i * SECOND);
    }
  }

  @Test
  @DisplayName("of a loop's part of the places half is for who comes first, the rest is divided")
  void halves() {
    LoopBudget half = new LoopBudget(new ProbeLimits(4, 10, 40, 100), 2, 0); // 20 places
    List<Pod> all = Stream.generate(() -> half.open(0)).limit(10).toList();
    all.forEach(pod -> half.refusal(pod, 1, 0));
    List<Integer> begun = new ArrayList<>();
    for (Pod pod : all) {
      int count = 0;
      while (half.refusal(pod, 1, 0) == null) {
        half.begin(pod, 1, 0);
        count++;
      }
      begun.add(count);
    }
    assertThat(begun).containsExactly(4, 4, 2, 1, 1, 1, 1, 1, 1, 1);
    assertThat(half.refusal(all.getLast(), 1, 0)).isEqualTo(Reason.NODE_BUDGET);
    assertThat(half.message(Reason.NODE_BUDGET, 1))
        .isEqualTo(
            "the pods of this node ask for more than 40 probes at a time or 100 a second; probes"
                + " beyond this pod's share are discarded");
  }

  @Test
  @DisplayName("of what a loop may begin half is for who comes first, the rest fills up evenly")
  void beginnings() {
    LoopBudget half = new LoopBudget(new ProbeLimits(4, 10, 40, 40), 2, 0); // 20 a second
    Pod first = half.open(0);
    Pod second = half.open(0);
    assertThat(beginAndEndAll(half, first, 0)).as("10, and its 4").isEqualTo(14);
    assertThat(half.refusal(first, 1, 0)).isEqualTo(Reason.NODE_BUDGET);
    assertThat(half.further(first, 0)).isEqualTo(Reason.NODE_BUDGET);
    assertThat(half.again(first, 1, 0)).isFalse();
    assertThat(beginAndEndAll(half, second, 0)).as("its 4").isEqualTo(4);

    half.close(half.open(0)); // it never asked, and so had no share
    assertThat(beginAndEndAll(half, first, SECOND / 4)).as("5 a second each").isEqualTo(1);
    half.close(second);
    assertThat(beginAndEndAll(half, first, SECOND / 2)).as("1, and 10 a second").isEqualTo(3);
  }

  @Test
  @DisplayName("pods that begin without end leave every other pod its share of beginnings")
  void nodePerSecond() {
    List<Pod> greedy = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      greedy.add(budget.open(0));
    }
    Pod honest = budget.open(0);
    budget.refusal(honest, 1, 0);
    int refused = 0;
    for (int tenth = 1; tenth <= 200; tenth++) {
      long now = tenth * SECOND / 10;
      greedy.forEach(pod -> beginAndEndAll(pod, now));
      if (tenth % 10 == 0) { // once a second
        if (budget.refusal(honest, 1, now) == null) {
          budget.begin(honest, 1, now);
          budget.end(honest, 1);
        } else {
          refused++;
        }
      }
    }
    assertThat(refused).isZero();
  }

  @Test
  @DisplayName("a try more of a probe under way is charged, too")
  void again() {
    Pod pod = budget.open(0);
    budget.begin(pod, 1, 0);
    int tries = 0;
    while (budget.again(pod, 1, 0)) {
      tries++;
    }
    assertThat(tries).isEqualTo(19);
  }

  @Test
  @DisplayName("W-13 a redirect that is followed is charged as a probe that begins")
  void further() {
    Pod pod = budget.open(0);
    Pod neighbour = budget.open(0);
    assertThat(budget.refusal(pod, 1, 0)).isNull();
    budget.begin(pod, 1, 0);
    int followed = 0;
    while (budget.further(pod, 0) == null) {
      followed++;
    }
    assertThat(followed).isEqualTo(19);
    assertThat(budget.further(pod, 0)).isEqualTo(Reason.POD_BUDGET);
    assertThat(budget.refusal(pod, 1, 0)).isEqualTo(Reason.POD_BUDGET);
    assertThat(budget.refusal(neighbour, 1, 0)).isNull();
    assertThat(budget.inFlight()).as("it is the same probe").isEqualTo(1);
  }

  @Test
  @DisplayName("W-13 pods that follow redirects without end leave every other pod its share")
  void furtherOfAll() {
    List<Pod> greedy = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      greedy.add(budget.open(0));
    }
    Pod honest = budget.open(0);
    budget.refusal(honest, 1, 0);
    int followed = 0;
    int refused = 0;
    for (int tenth = 1; tenth <= 200; tenth++) {
      long now = tenth * SECOND / 10;
      for (Pod pod : greedy) {
        if (budget.refusal(pod, 1, now) == null) {
          budget.begin(pod, 1, now);
          for (int hop = 0; hop < 9 && budget.further(pod, now) == null; hop++) {
            followed++;
          }
          budget.end(pod, 1);
        }
      }
      if (tenth % 10 == 0 && budget.refusal(honest, 1, now) != null) {
        refused++;
      }
    }
    assertThat(followed).as("20 s at 100 a second").isLessThan(20 * 100);
    assertThat(refused).isZero();
  }

  @Test
  @DisplayName("limits fit the files that may be open")
  void files() {
    assertThat(ProbeLimits.DEFAULT.within(1_024).nodeInFlight()).isEqualTo(256);
    assertThat(ProbeLimits.DEFAULT.within(16).nodeInFlight()).isEqualTo(16);
    assertThat(ProbeLimits.DEFAULT.within(1_048_576)).isEqualTo(ProbeLimits.DEFAULT);
    assertThat(ProbeLimits.DEFAULT.within(-1)).isEqualTo(ProbeLimits.DEFAULT);
    assertThatThrownBy(() -> new ProbeLimits(16, 50, 8, 100))
        .hasMessage("nodeInFlight must be at least podInFlight, 16, found 8");
  }
}
