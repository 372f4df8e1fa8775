package io.probelet.probe.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.rule.FairQueue.Next;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private final FairQueue<String, String> queue = new FairQueue<>();

  @Test
  @DisplayName("of two pods the one whose work took less time is next")
  void leastTaken() {
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      queue.add("heavy", "h");
      queue.add("light", "l");
    }
    for (Next<String, String> next = queue.next(); next != null; next = queue.next()) {
      order.add(next.work());
      queue.done(next.pod(), next.work().equals("h") ? 100 : 10);
    }
    assertThat(String.join("", order)).isIn("hllllhhh", "lhlllhhh");
  }

  @Test
  @DisplayName("no pod has two pieces of work under way")
  void oneEach() {
    queue.add("a", "1");
    queue.add("a", "2");
    queue.add("b", "3");
    List<String> begun = new ArrayList<>();
    for (Next<String, String> next = queue.next(); next != null; next = queue.next()) {
      begun.add(next.work());
    }
    assertThat(begun).containsExactlyInAnyOrder("1", "3");
    assertThat(queue.busy("a")).isTrue();
    queue.done("a", 1);
    assertThat(queue.next()).isEqualTo(new Next<>("a", "2"));
  }

  @Test
  @DisplayName("a newcomer is not ahead of pods that have waited")
  void newcomers() {
    for (int i = 0; i < 3; i++) {
      queue.add("old", "old");
    }
    Next<String, String> first = queue.next();
    queue.done("old", 1_000);
    assertThat(first).isNotNull();
    queue.next();
    queue.done("old", 1_000);
    queue.add("new", "new 1");
    queue.add("new", "new 2");
    assertThat(queue.next()).isEqualTo(new Next<>("new", "new 1"));
    queue.done("new", 1_500);
    assertThat(queue.next()).isEqualTo(new Next<>("old", "old"));
  }

  @Test
  @DisplayName("the queue is limited per pod and in total")
  void bounds() {
    for (int i = 0; i < FairQueue.MAX_PER_POD; i++) {
      assertThat(queue.add("greedy", "x")).isTrue();
    }
    assertThat(queue.add("greedy", "x")).isFalse();
    int added = FairQueue.MAX_PER_POD;
    while (queue.add("pod" + added / 10, "x")) {
      added++;
    }
    assertThat(added).isEqualTo(FairQueue.MAX_WAITING);
  }
}
