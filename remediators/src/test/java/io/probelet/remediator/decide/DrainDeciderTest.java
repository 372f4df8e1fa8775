package io.probelet.remediator.decide;

import static io.probelet.remediator.decide.Situations.drainPod;
import static io.probelet.remediator.decide.Situations.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.remediator.decide.Action.Cordon;
import io.probelet.remediator.decide.Action.Evict;
import io.probelet.remediator.decide.DrainPod.End;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.RemediationPhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class DrainDeciderTest {
  private static final DrainPods RUNNING =
      new DrainPods(List.of(drainPod(pod("a"), End.NOT_ASKED)), 0);

  private final DeciderCase<DrainSpec, DrainPods> drain =
      new DeciderCase<>(new DrainDecider(), DrainSpec.DEFAULT);

  private static ObservedNode cordoned() {
    return new ObservedNode(
        DeciderCase.NODE,
        "uid-n",
        "6",
        DeciderCase.BOOT,
        true,
        Map.of("Ready", "True"),
        List.of(),
        Map.of(),
        Map.of(Cordon.MARK, DeciderCase.UID));
  }

  @Test
  @DisplayName("ACT-13, ACT-14: cordons, evicts, finishes, and reports it in an Event")
  void drains() {
    Step first = drain.next(RUNNING);
    assertThat(first.status().phase()).isEqualTo(RemediationPhase.DRAINING);
    assertThat(first.status().message()).isEqualTo("cordoning the node");
    assertThat(first.actions()).containsExactly(new Cordon(drain.node));
    assertThat(first.again()).contains(Duration.ofSeconds(1));
    drain.node = cordoned();
    Step second = drain.later(Duration.ofSeconds(1)).next(RUNNING);
    assertThat(second.status().message()).isEqualTo("1 pod is left: web/a");
    assertThat(second.actions()).containsExactly(new Evict(pod("a"), Optional.empty()));
    assertThat(second.again()).contains(Duration.ofSeconds(5));
    assertThat(second.notices()).isEmpty();
    Step last = drain.next(DrainPods.NONE);
    assertThat(last.status().phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(last.status().message()).isEqualTo("drained: no pods left to evict");
    assertThat(last.notices())
        .containsExactly(new Notice(false, "Drained", "drained: no pods left to evict"));
  }

  @Test
  @DisplayName(
      "ACT-16: the deadline is counted from the begin of the drain, not from what was before")
  void deadline() {
    drain.node = cordoned();
    assertThat(drain.later(Duration.ofHours(1)).next(RUNNING).status().phase())
        .isEqualTo(RemediationPhase.DRAINING);
    assertThat(drain.later(Duration.ofMinutes(10).minusSeconds(1)).next(RUNNING).again())
        .contains(Duration.ofSeconds(1));
    Step late = drain.later(Duration.ofSeconds(1)).next(RUNNING);
    assertThat(late.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(late.status().message()).isEqualTo("after 10m0s 1 pod is left: web/a");
    assertThat(late.notices())
        .containsExactly(new Notice(true, "DrainFailed", "after 10m0s 1 pod is left: web/a"));
  }

  @Test
  @DisplayName("ACT-6: nothing but the cordon has to be undone")
  void undone() {
    assertThat(drain.undo(RUNNING)).isEmpty();
  }
}
