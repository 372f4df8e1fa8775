package io.probelet.web.page.node;

import static io.probelet.web.Snapshots.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.engine.ProbeSnapshot.Outcome;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One container of a list. */
class ContainerRowTest {
  @ParameterizedTest
  @EnumSource(Outcome.class)
  @DisplayName("what a row is drawn of says all that a whole history would")
  void drawn(Outcome newest) {
    List<ProbeSnapshot.Entry> history = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      history.add(
          Snapshots.entry(
              NOON.plusSeconds(i), i % 7 == 3 ? Outcome.FAILED : Outcome.SUCCESSFUL, "said " + i));
    }
    history.add(Snapshots.entry(NOON.plusSeconds(30), newest, "said last"));
    ContainerSnapshot container =
        Snapshots.running(
            "shop",
            "web",
            "app",
            new ProbeSnapshot(
                ProbeKind.READINESS,
                Snapshots.spec("httpGet"),
                ProbeResult.SUCCESS,
                ProbeResult.SUCCESS,
                1,
                NOON.plusSeconds(30),
                Duration.ofMillis(1),
                "said last",
                ProbeSnapshot.Obstacle.NONE,
                NOON.plusSeconds(40),
                history,
                null,
                null,
                null));
    assertThat(row(ContainerView.drawn(container))).isEqualTo(row(ContainerView.of(container, 60)));
  }

  @Test
  @DisplayName("configuration without effect is a warning, and what it quotes is text")
  void warning() {
    ContainerView container =
        ContainerView.of(Snapshots.running("shop", "web", "nginx"), 1)
            .withWarnings(List.of("<b>web.readiness\nhas no effect", "2", "3", "4", "too many"));
    assertThat(row(container))
        .contains("ready, with a warning")
        .contains("Warning: &lt;b&gt;web.readiness has no effect</p>")
        .doesNotContain("too many");
  }

  private static String row(ContainerView container) {
    return ContainerRow.of(container, "id", "", NOON.plusSeconds(31)).toString();
  }
}
