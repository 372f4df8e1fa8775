package io.probelet.web.page.container;

import io.probelet.health.ShortText;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.PhasesView;
import io.probelet.web.api.ContainerView.ProbeView;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.explain.ExplainView.Value;
import io.probelet.web.explain.WithoutProbes;
import io.probelet.web.page.Ago;
import io.probelet.web.page.CauseHtml;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip;
import io.probelet.web.page.OutcomeStrip.Mark;
import io.probelet.web.page.PageTable;
import io.probelet.web.page.Sparkline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws one explained container: a section on itself, and one for each of its probes. */
final class ContainerSections {
  private static final int MAX_TEXT_LENGTH = 2_000;
  private static final int MAX_CELL_LENGTH = 260;

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
    all.add(
        new Fragment(
            key,
            List.of(
                container.state(),
                container.ready(),
                container.started(),
                container.restartCount(),
                String.valueOf(container.startedAt()),
                String.valueOf(container.nextStart()),
                container.message(),
                String.valueOf(container.lastTermination())),
            () -> head(container, key)));
    for (int i = 0; i < Math.min(container.probes().size(), view.probes().size()); i++) {
      ProbeView probe = container.probes().get(i);
      ExplainView.Probe explained = view.probes().get(i);
      String id = key + "-" + i;
      all.add(new Fragment(id, List.of(probe, explained), () -> probe(probe, explained, id)));
    }
    return all;
  }

  private Html head(ContainerView container, String id) {
    Html html = new Html().open("section", "id", id).open("p");
    html.element("b", container.ready() ? "ready" : "not ready");
    html.text(" · " + ShortText.of(container.state(), MAX_CELL_LENGTH));
    html.text(" · restarts: " + container.restartCount());
    when(html, " · started ", container.startedAt());
    next(html, " · starts again ", container.nextStart());
    html.close("p");
    html.add(CauseHtml.of(container, now, MAX_TEXT_LENGTH));
    WithoutProbes.words(container).ifPresent(words -> html.element("p", words));
    return html.close("section");
  }

  private void when(Html html, String words, @Nullable String time) {
    if (time != null) {
      html.text(words).add(Ago.of(time, now));
    }
  }

  private void next(Html html, String words, @Nullable String time) {
    if (time != null) {
      html.text(words).add(Ago.next(time, now));
    }
  }

  private Html probe(ProbeView probe, ExplainView.Probe explained, String id) {
    List<OutcomeView> history = probe.outcomes();
    Html html = new Html().open("section", "id", id);
    html.element("h2", ShortText.of(probe.kind() + ": " + probe.result(), MAX_CELL_LENGTH));
    html.open("h3").text("What happens next").close("h3").open("p");
    next(html, "The next probe comes ", probe.nextProbe());
    html.close("p");
    explained
        .outlook()
        .forEach(sentence -> html.element("p", ShortText.of(sentence, MAX_CELL_LENGTH)));
    html.element("h3", "What happened");
    html.open("p")
        .add(OutcomeStrip.of(history.stream().map(each -> Mark.ofOutcome(each.result())).toList()))
        .close("p");
    lastFailure(html, history);
    if (history.stream().anyMatch(each -> each.phases() != null)) {
      html.add(PhaseBars.of(history)).add(PhaseBars.legend());
    }
    html.element("h3", "What is probed");
    values(html, explained);
    html.element("h3", "The last " + history.size() + " probes, newest first");
    outcomes(html, history);
    return html.close("section");
  }

  private void lastFailure(Html html, List<OutcomeView> history) {
    for (OutcomeView outcome : history.reversed()) {
      if (Mark.ofOutcome(outcome.result()) == Mark.FAILED) {
        html.open("p").add(Mark.FAILED.html()).text(" last failure ");
        html.add(Ago.of(outcome.time(), now)).text(": ");
        html.element("span", ShortText.of(outcome.message(), MAX_TEXT_LENGTH)).close("p");
        return;
      }
    }
  }

  private void outcomes(Html html, List<OutcomeView> history) {
    PageTable table =
        new PageTable(
            "What each of them came to, and how long each phase took",
            "ended",
            "result",
            "in",
            "before",
            "resolve",
            "connect",
            "TLS",
            "first byte",
            "said");
    Html rows = table.rows();
    for (OutcomeView outcome : history.reversed()) {
      rows.open("tr").open("td").add(Ago.of(outcome.time(), now)).close("td");
      rows.open("td").add(Mark.ofOutcome(outcome.result()).html());
      rows.text(" " + ShortText.of(outcome.result(), MAX_CELL_LENGTH)).close("td");
      rows.element("td", Sparkline.millis(outcome.latencyMs()), "class", "number");
      PhasesView phases = outcome.phases();
      phase(rows, phases == null ? null : phases.before());
      phase(rows, phases == null ? null : phases.resolve());
      phase(rows, phases == null ? null : phases.connect());
      phase(rows, phases == null ? null : phases.tls());
      phase(rows, phases == null ? null : phases.firstByte());
      rows.element("td", ShortText.of(outcome.message(), MAX_CELL_LENGTH)).close("tr");
    }
    html.add(table.html());
  }

  private static void phase(Html html, @Nullable Double millis) {
    html.element("td", millis == null ? "" : Sparkline.millis(millis), "class", "number");
  }

  private static void values(Html html, ExplainView.Probe explained) {
    PageTable table = new PageTable("Its values, and where each comes from", "value", "is", "from");
    for (Value value : explained.values()) {
      table.row(
          List.of(
              ShortText.of(value.name(), MAX_CELL_LENGTH),
              ShortText.of(value.value(), MAX_TEXT_LENGTH),
              ShortText.of(value.origin(), MAX_CELL_LENGTH)));
    }
    html.add(table.html());
  }
}
