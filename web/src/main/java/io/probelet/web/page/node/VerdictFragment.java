package io.probelet.web.page.node;

import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeVerdict;
import io.probelet.web.api.NodeView;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip.Mark;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first line of a node's page: its verdict. */
public final class VerdictFragment {
  private VerdictFragment() {}

  /**
   * Draws the line.
   *
   * @param containers with at least the newest outcome of each probe
   * @param node the node; null if it could not be read
   */
  public static Fragment of(List<ContainerView> containers, @Nullable NodeView node) {
    NodeVerdict verdict = NodeVerdict.of(containers, node);
    Mark mark = Mark.of(verdict.severity());
    return new Fragment(
        "verdict",
        List.of(mark, verdict.text()),
        () ->
            new Html()
                .open("p", "id", "verdict", "class", "verdict " + mark.label())
                .add(mark.html())
                .text(" " + verdict.text())
                .close("p"));
  }
}
