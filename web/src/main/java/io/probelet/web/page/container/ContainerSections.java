package io.probelet.web.page.container;

import io.probelet.health.ShortText;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.ProbeView;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.explain.WithoutProbes;
import io.probelet.web.page.Ago;
import io.probelet.web.page.CauseHtml;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip.Mark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws one explained container: a section on itself, and one for each probe, failing ones first.
 */
final class ContainerSections {
  private final ExplainView view;
  private final Instant now;

  ContainerSections(ExplainView view, Instant now) {
    this.view = view;
    this.now = now;
  }

  /** {@return the sections, with keys that begin with a number} */
  List<Fragment> list(int number) {
    ContainerView container = view.container();
    List<Fragment> all = new ArrayList<>();
    String key = "c" + number;
    ContainerHealth health = ContainerHealth.of(container);
    all.add(
        new Fragment(
            key,
            List.of(
                health,
                ContainerCause.failing(container, ProbeSection.MAX_CELL_LENGTH),
                container.state(),
                container.ready(),
                container.started(),
                container.restartCount(),
                String.valueOf(container.startedAt()),
                String.valueOf(container.nextStart()),
                container.message(),
                container.warnings(),
                String.valueOf(container.lastTermination())),
            () -> head(container, health, key)));
    List<ProbeView> probes =
        container.probes().subList(0, Math.min(container.probes().size(), view.probes().size()));
    for (ProbeView probe : ContainerHealth.failingFirst(probes)) {
      int place = probes.indexOf(probe);
      ExplainView.Probe explained = view.probes().get(place);
      String id = key + "-" + place;
      all.add(
          new Fragment(
              id, List.of(probe, explained), () -> ProbeSection.of(probe, explained, id, now)));
    }
    return all;
  }

  private Html head(ContainerView container, ContainerHealth health, String id) {
    Mark mark = Mark.of(health.severity());
    Html html = new Html().open("section", "id", id);
    html.open("p", "class", "verdict " + mark.label());
    String ready = container.ready() ? "ready" : "not ready";
    html.text(health.words().startsWith(ready) ? health.words() : ready + ": " + health.words());
    String failing = ContainerCause.failing(container, ProbeSection.MAX_CELL_LENGTH);
    html.text(failing.isEmpty() ? "" : "; " + failing);
    html.close("p").open("p");
    html.text(ShortText.of(container.state(), ProbeSection.MAX_CELL_LENGTH));
    html.text(" · restarts: " + container.restartCount());
    if (container.startedAt() != null) {
      html.text(" · started ").add(Ago.of(container.startedAt(), now));
    }
    next(html, container.nextStart());
    html.close("p");
    ContainerCause.warnings(container, ProbeSection.MAX_CELL_LENGTH)
        .forEach(each -> html.element("p", "Warning: " + each));
    html.add(CauseHtml.of(container, now, ProbeSection.MAX_TEXT_LENGTH));
    WithoutProbes.words(container).ifPresent(words -> html.element("p", words));
    return html.close("section");
  }

  private void next(Html html, @Nullable String time) {
    if (time != null) {
      html.text(" · starts again ").add(Ago.next(time, now));
    }
  }
}
