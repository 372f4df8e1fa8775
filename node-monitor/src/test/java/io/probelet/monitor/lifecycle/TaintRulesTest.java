package io.probelet.monitor.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.rule.TaintSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which nodes are tainted. */
class TaintRulesTest {
  private static final String TAINT = "probelet.io/disk:NoSchedule";
  private static final TaintSpec DISK = TaintSpec.parse(TAINT, 20);

  private static TaintRules.Node node(String name, boolean wants, boolean has) {
    return new TaintRules.Node(
        name, wants ? List.of(DISK) : List.of(), has ? Set.of(TAINT) : Set.of(), Set.of());
  }

  @Test
  @DisplayName("B-11 a taint comes with its condition and goes with it")
  void comesAndGoes() {
    assertThat(TaintRules.decide(List.of(node("a", true, false)), 5).taints())
        .containsOnlyKeys("a")
        .containsEntry("a", Set.of(TAINT));
    assertThat(TaintRules.decide(List.of(node("a", true, true)), 5).taints()).isEmpty();
    assertThat(TaintRules.decide(List.of(node("a", false, true)), 5).taints())
        .containsEntry("a", Set.of());
  }

  @Test
  @DisplayName("B-11 never on more than the share, however many want it")
  void share() {
    for (int total = 1; total <= 40; total++) {
      List<TaintRules.Node> all = new ArrayList<>();
      for (int i = 0; i < total; i++) {
        all.add(node("n" + i, true, false));
      }
      TaintRules.Decision decision = TaintRules.decide(all, total);
      assertThat(decision.taints()).hasSize(total / 5);
      assertThat(decision.held()).hasSize(total - total / 5);
    }
  }

  @Test
  @DisplayName("B-11 tainted nodes keep their taint when the cluster shrinks; others wait")
  void waits() {
    List<TaintRules.Node> nodes =
        List.of(node("a", true, true), node("b", true, true), node("c", true, false));
    TaintRules.Decision full = TaintRules.decide(nodes, 8);
    assertThat(full.taints()).isEmpty();
    assertThat(full.held().get("c"))
        .containsExactly(TAINT + ": 2 of 8 nodes have this taint, limit 20%");
    TaintRules.Decision room =
        TaintRules.decide(
            List.of(node("a", false, true), node("b", false, true), node("c", true, false)), 8);
    assertThat(room.taints()).containsEntry("a", Set.of()).containsEntry("b", Set.of());
  }

  @Test
  @DisplayName("B-11 no taint is added before a removal is written")
  void oneAfterTheOther() {
    List<TaintRules.Node> well = List.of(node("a", false, true), node("b", true, false));
    assertThat(TaintRules.decide(well, 5).taints()).containsEntry("a", Set.of());
    assertThat(TaintRules.decide(well, 5).taints()).doesNotContainKey("b");
    assertThat(TaintRules.decide(List.of(node("b", true, false)), 5).taints())
        .containsEntry("b", Set.of(TAINT));
  }

  @Test
  @DisplayName("B-11 another effect of the same key replaces ours; foreign taints stay")
  void effects() {
    TaintSpec evict = TaintSpec.parse("probelet.io/disk:NoExecute", 20);
    TaintRules.Node changed = new TaintRules.Node("a", List.of(evict), Set.of(TAINT), Set.of());
    assertThat(TaintRules.decide(List.of(changed), 5).taints())
        .containsEntry("a", Set.of("probelet.io/disk:NoExecute"));
    TaintRules.Node theirs =
        new TaintRules.Node("a", List.of(DISK), Set.of(), Set.of("probelet.io/disk"));
    TaintRules.Decision decision = TaintRules.decide(List.of(theirs, node("b", true, false)), 5);
    assertThat(decision.taints()).isEmpty();
    assertThat(decision.held()).containsOnlyKeys("b"); // theirs counts as well
  }

  @Test
  @DisplayName("B-11 only a taint of the same key may replace one being removed")
  void anotherKeyWaits() {
    TaintSpec net = TaintSpec.parse("probelet.io/net:NoSchedule", 20);
    TaintRules.Node node = new TaintRules.Node("a", List.of(net), Set.of(TAINT), Set.of());
    assertThat(TaintRules.decide(List.of(node), 5).taints()).containsEntry("a", Set.of());
  }
}
