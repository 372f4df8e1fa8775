package io.probelet.web.page.container;

import io.probelet.health.ShortText;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import io.probelet.web.api.PastView;
import io.probelet.web.api.PastView.UptimeView;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.explain.ExplainView.Reproduce;
import io.probelet.web.explain.ExplainView.Value;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip;
import io.probelet.web.page.OutcomeStrip.Mark;
import io.probelet.web.page.PageTable;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One probe of a container: why it fails, a command that asks the same, what follows, its uptime
 * and its last outcomes.
 */
final class ProbeSection {
  static final int MAX_TEXT_LENGTH = 2_000;
  static final int MAX_CELL_LENGTH = 260;
  private static final int MAX_COMMANDS = 8;

  private final ProbeView probe;
  private final ExplainView.Probe explained;
  private final Instant now;
  private final Html html = new Html();

  private ProbeSection(ProbeView probe, ExplainView.Probe explained, Instant now) {
    this.probe = probe;
    this.explained = explained;
    this.now = now;
  }

  /** {@return the section as one element} */
  static Html of(ProbeView probe, ExplainView.Probe explained, String id, Instant now) {
    return new ProbeSection(probe, explained, now).draw(id);
  }

  private Html draw(String id) {
    List<OutcomeView> history = probe.outcomes();
    html.open("section", "id", id);
    html.element("h2", ShortText.of(probe.kind() + ": " + probe.result(), MAX_CELL_LENGTH));
    lastFailure(history);
    commands();
    html.element("h3", "Next");
    if (probe.nextProbe() != null) {
      html.open("p").text("Next probe: ").add(Ago.next(probe.nextProbe(), now)).close("p");
    }
    explained
        .outlook()
        .forEach(sentence -> html.element("p", ShortText.of(sentence, MAX_CELL_LENGTH)));
    if (probe.past() != null) {
      past(probe.past());
    }
    html.element("h3", "Last outcomes");
    html.open("p")
        .add(OutcomeStrip.of(history.stream().map(each -> Mark.ofOutcome(each.result())).toList()))
        .close("p");
    if (history.stream().anyMatch(each -> each.phases() != null)) {
      html.add(PhaseBars.of(history)).add(PhaseBars.legend());
    }
    html.add(OutcomeRows.table(history, probe.consecutive(), now));
    values();
    return html.close("section");
  }

  private void lastFailure(List<OutcomeView> history) {
    for (OutcomeView outcome : history.reversed()) {
      if (Mark.ofOutcome(outcome.result()) == Mark.FAILED) {
        html.open("p", "class", "reason").add(Mark.FAILED.html()).text(" Last failure ");
        html.add(Ago.of(outcome.time(), now)).text(": ");
        html.element("span", ShortText.of(outcome.message(), MAX_TEXT_LENGTH)).close("p");
        return;
      }
    }
  }

  private void commands() {
    List<Reproduce> commands = explained.reproduce();
    if (commands.isEmpty()) {
      return;
    }
    html.element("p", "Try it on the node:");
    for (Reproduce each : commands.subList(0, Math.min(MAX_COMMANDS, commands.size()))) {
      html.open("pre").element("code", ShortText.of(each.command(), MAX_TEXT_LENGTH)).close("pre");
      if (!each.without().isEmpty()) {
        html.element(
            "p",
            "Left out, as it may be secret: " + ShortText.of(each.without(), MAX_CELL_LENGTH),
            "class",
            "quiet");
      }
    }
  }

  private void past(PastView past) {
    html.element("h3", "Last 24 hours");
    if (past.since() == null) {
      html.element(
          "p",
          past.shortened()
              ? "No history: the agent's memory for history is full."
              : "No outcome has counted yet.");
      return;
    }
    html.open("p").element("b", "Uptime");
    uptime(" last hour ", past.hour());
    uptime(", last 24 hours ", past.day());
    html.text(". History since ").add(Ago.of(past.since(), now));
    if (past.resolutionSeconds() > 60) {
      html.text(" in steps of %d minutes".formatted(past.resolutionSeconds() / 60));
    }
    html.text(past.shortened() ? ", shortened: the agent's memory for history is full." : ".");
    html.close("p");
    if (!past.intervals().isEmpty()) {
      html.add(DayGraph.of(past, now)).add(DayGraph.legend());
    }
  }

  private void uptime(String words, @Nullable UptimeView uptime) {
    html.text(words);
    if (uptime == null) {
      html.text("unknown");
    } else {
      html.text(
          percent(uptime.uptimePercent())
              + " (%,d failed of %,d)".formatted(uptime.failed(), uptime.up() + uptime.failed()));
    }
  }

  /** Rounded down, so that only what never failed has 100 %. */
  static String percent(double percent) {
    double floor = percent > 0 ? Math.floor(Math.min(percent, 100) * 100) / 100 : 0; // not NaN
    return floor == 100 ? "100 %" : String.format(Locale.ROOT, "%.2f %%", floor);
  }

  private void values() {
    PageTable table = new PageTable("Values in force and their origin", "Value", "Is", "From");
    for (Value value : explained.values()) {
      table.row(
          List.of(
              ShortText.of(value.name(), MAX_CELL_LENGTH),
              ShortText.of(value.value(), MAX_TEXT_LENGTH),
              ShortText.of(value.origin(), MAX_CELL_LENGTH)));
    }
    html.open("details")
        .element("summary", "Configuration of this probe")
        .add(table.html())
        .close("details");
  }
}
