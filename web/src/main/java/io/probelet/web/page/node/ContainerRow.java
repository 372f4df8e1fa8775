package io.probelet.web.page.node;

import io.probelet.health.ShortText;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import io.probelet.web.api.Severity;
import io.probelet.web.http.ContainerChoice;
import io.probelet.web.page.Ago;
import io.probelet.web.page.CauseHtml;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip;
import io.probelet.web.page.OutcomeStrip.Mark;
import io.probelet.web.page.Sparkline;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Draws one container: its state, and each of its probes with its last outcomes. The probes of a
 * healthy one are folded.
 */
final class ContainerRow {
  private static final int MAX_MESSAGE_LENGTH = 200;
  private static final int MAX_NAME_LENGTH = 260;

  private final ContainerView container;
  private final Instant now;
  private final Html html = new Html();

  private ContainerRow(ContainerView container, Instant now) {
    this.container = container;
    this.now = now;
  }

  /**
   * Draws a container.
   *
   * @param container with the newest outcomes of its probes
   * @param link relative address of the page with all of them, without parameters; empty for none
   * @return one element
   */
  static Html of(ContainerView container, String id, String link, Instant now) {
    return new ContainerRow(container, now).row(id, link);
  }

  private Html row(String id, String link) {
    ContainerHealth health = ContainerHealth.of(container);
    Mark mark = Mark.of(health.severity());
    String state = mark.label();
    boolean folded = health.severity() == Severity.HEALTHY;
    html.open("article", "class", "container is-" + state, "id", id);
    html.open("h3").add(mark.html()).text(" ");
    String name = ShortText.of(container.namespace() + "/" + container.pod(), MAX_NAME_LENGTH);
    String inPod = ShortText.of(container.container(), MAX_NAME_LENGTH);
    if (link.isEmpty()) {
      html.text(name + " " + inPod);
    } else {
      html.element("a", name + " " + inPod, "href", link + choice().parameters());
    }
    html.close("h3").text(" ");
    html.open("span").element("b", health.words(), "class", state);
    html.text(role() + " · " + ShortText.of(container.state(), MAX_NAME_LENGTH));
    html.text(" · " + restarts());
    if (container.nextStart() != null) {
      html.text(" · starts again ").add(Ago.next(container.nextStart(), now));
    } else if (container.startedAt() != null) {
      html.text(" · started ").add(Ago.of(container.startedAt(), now));
    }
    html.close("span");
    ContainerCause.warnings(container, MAX_MESSAGE_LENGTH)
        .forEach(each -> html.element("p", "Warning: " + each, "class", "cause"));
    if (ContainerCause.matters(container, now)) {
      html.add(CauseHtml.of(container, now, MAX_MESSAGE_LENGTH));
    }
    if (folded && !container.probes().isEmpty()) {
      html.open("details").element("summary", probes());
    }
    if (!container.probes().isEmpty()) {
      html.open("ul", "class", "probes");
      ContainerHealth.failingFirst(container.probes()).forEach(this::probe);
      html.close("ul");
    }
    if (folded && !container.probes().isEmpty()) {
      html.close("details");
    }
    return html.close("article");
  }

  private ContainerChoice choice() {
    return new ContainerChoice(container.namespace(), container.pod(), container.container());
  }

  private String role() {
    return switch (container.role()) {
      case ContainerView.INIT -> " · init container";
      case "sidecar" -> " · sidecar";
      default -> "";
    };
  }

  private String probes() {
    int probes = container.probes().size();
    return probes == 1 ? "1 probe" : probes + " probes";
  }

  private String restarts() {
    return switch (container.restartCount()) {
      case 0 -> "no restarts";
      case 1 -> "1 restart";
      default -> container.restartCount() + " restarts";
    };
  }

  private void probe(ProbeView probe) {
    List<OutcomeView> history = probe.outcomes();
    Mark mark =
        switch (probe.result()) {
          case "Success" -> Mark.GOOD;
          case "Failure" -> Mark.FAILED;
          default -> Mark.UNKNOWN;
        };
    html.open("li");
    html.element("span", ShortText.of(probe.kind() + " " + probe.handler(), MAX_NAME_LENGTH));
    html.open("span")
        .add(mark.html())
        .text(" " + ShortText.of(probe.result(), MAX_NAME_LENGTH))
        .close("span");
    html.add(OutcomeStrip.of(history.stream().map(each -> Mark.ofOutcome(each.result())).toList()));
    html.add(
        Sparkline.of(
            history.stream().mapToDouble(OutcomeView::latencyMs).toArray(),
            OptionalDouble.of((double) probe.timeoutMs())));
    last(probe);
    problem(probe, history);
    html.close("li");
  }

  private void last(ProbeView probe) {
    html.open("span");
    if (probe.lastProbe() == null) {
      html.text("not probed yet");
    } else {
      html.add(Ago.of(probe.lastProbe(), now));
      Double latency = probe.lastLatencyMs();
      html.text(latency == null ? "" : ", " + Sparkline.millis(latency));
      html.text(row(probe));
    }
    String waits = waits(probe);
    if (!waits.isEmpty()) {
      html.text(" · " + waits);
    } else if (probe.nextProbe() != null) {
      html.text(" · next ").add(Ago.next(probe.nextProbe(), now));
    }
    html.close("span");
  }

  /** How many equal outcomes came, and of how many where the result has yet to follow. */
  private static String row(ProbeView probe) {
    int consecutive = probe.consecutive();
    String outcome = probe.lastOutcome();
    if (consecutive == 0 || outcome == null) {
      return "";
    }
    String how = outcome.equals("Success") ? "succeeded " : "failed ";
    return outcome.equals(probe.result())
        ? ", " + how + consecutive + " in a row"
        : ", " + how + consecutive + "/" + probe.threshold();
  }

  private static String waits(ProbeView probe) {
    return switch (probe.waitsFor()) {
      case null -> "";
      case "no-instance", "not-running" -> "waits for the container to run";
      case "decided" -> "waits for a new instance";
      case "pod-ending" -> "the pod is ending";
      case "initial-delay" -> "waits for its initial delay";
      case "not-started" -> "waits for the startup probe";
      case "started" -> "done";
      default -> "waits for " + ShortText.of(probe.waitsFor(), MAX_NAME_LENGTH);
    };
  }

  /** The newest outcome other than a success, with its time and text. */
  private void problem(ProbeView probe, List<OutcomeView> history) {
    for (OutcomeView outcome : history.reversed()) {
      Mark mark = Mark.ofOutcome(outcome.result());
      if (mark != Mark.GOOD) {
        boolean newest = outcome.equals(history.getLast());
        String text = newest && !probe.message().isEmpty() ? probe.message() : outcome.message();
        html.open("span", "class", "message").add(mark.html()).text(" ");
        html.text(
            switch (mark) {
              case WARNING -> "warning ";
              case FAILED -> "failed ";
              default -> "could not run ";
            });
        html.add(Ago.of(outcome.time(), now)).text(": " + ShortText.of(text, MAX_MESSAGE_LENGTH));
        html.close("span");
        return;
      }
    }
  }
}
