package io.probelet.cli.status;

import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.PhasesView;
import io.probelet.web.api.ContainerView.ProbeView;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.TerminationView;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.explain.ExplainView.Value;
import io.probelet.web.explain.WithoutProbes;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Sparkline;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An explained container as lines for a terminal. */
final class ExplainText {
  private static final int MAX_MESSAGE_LENGTH = 500;
  private static final int NEWEST = 5;
  private static final String UNKNOWN = "-";

  private final Instant now;
  private final List<String> lines = new ArrayList<>();

  private ExplainText(Instant now) {
    this.now = now;
  }

  /** {@return a container in lines without control characters} */
  static List<String> of(ExplainView view, Instant now) {
    return new ExplainText(now).read(view).stream().map(Terminal::line).toList();
  }

  private List<String> read(ExplainView view) {
    ContainerView container = view.container();
    lines.add(container.namespace() + "/" + container.pod() + "/" + container.container());
    lines.add(
        "  %s%s, %sready, %d restart%s%s%s"
            .formatted(
                role(container),
                container.state(),
                container.ready() ? "" : "not ",
                container.restartCount(),
                container.restartCount() == 1 ? "" : "s",
                container.startedAt() == null ? "" : ", started " + ago(container.startedAt()),
                container.nextStart() == null
                    ? ""
                    : ", starts again " + next(container.nextStart())));
    cause(container);
    WithoutProbes.words(container)
        .ifPresent(words -> {
          lines.add("");
          lines.add(words);
        });
    for (int i = 0; i < container.probes().size(); i++) {
      ProbeView probe = container.probes().get(i);
      probe(probe, i < view.probes().size() ? view.probes().get(i) : null);
    }
    return lines;
  }

  private static String role(ContainerView container) {
    return switch (container.role()) {
      case ContainerView.INIT -> "Init container: ";
      case "sidecar" -> "Sidecar: ";
      default -> "";
    };
  }

  private void cause(ContainerView container) {
    TerminationView last = container.lastTermination();
    String waits = ContainerCause.waits(container, MAX_MESSAGE_LENGTH);
    if (!waits.isEmpty()) {
      lines.add("  Reason: " + waits);
    }
    if (last != null) {
      String said = ContainerCause.quoted(last.message(), MAX_MESSAGE_LENGTH);
      lines.add(
          "  Last termination: "
              + ContainerCause.ended(last)
              + (last.finishedAt() == null ? "" : ", " + ago(last.finishedAt()))
              + (said.isEmpty() ? "" : ": " + said));
    }
    ContainerCause.warnings(container, MAX_MESSAGE_LENGTH)
        .forEach(each -> lines.add("  Warning: " + each));
    lines.add("  Log: " + ContainerCause.log(container));
  }

  private void probe(ProbeView probe, ExplainView.@Nullable Probe explained) {
    lines.add("");
    lines.add("%s: %s".formatted(probe.kind(), probe.result()));
    if (explained != null) {
      lines.add("  Probe:");
      Table table = new Table("FIELD", "VALUE", "SET BY");
      for (Value value : explained.values()) {
        table.add(List.of(value.name(), value.value(), value.origin()));
      }
      table.lines().forEach(line -> lines.add("    " + line));
    }
    lines.add("  Last results:");
    history(probe);
    lines.add("  Next:");
    if (probe.nextProbe() != null) {
      lines.add("    Next probe: " + next(probe.nextProbe()));
    }
    if (explained != null) {
      explained.outlook().forEach(sentence -> lines.add("    " + sentence));
    }
  }

  private void history(ProbeView probe) {
    List<OutcomeView> history = probe.outcomes();
    if (history.isEmpty()) {
      lines.add("    not probed yet");
      return;
    }
    int from = Math.max(0, history.size() - NEWEST);
    for (OutcomeView outcome : history.subList(from, history.size()).reversed()) {
      lines.add("    " + outcome(outcome));
    }
    for (OutcomeView older : history.subList(0, from).reversed()) {
      if (older.result().equals("failed")) {
        lines.add("    before that: " + outcome(older));
        return;
      }
    }
  }

  private String outcome(OutcomeView outcome) {
    String said = cut(outcome.message());
    return "%s  %s in %s%s%s"
        .formatted(
            ago(outcome.time()),
            outcome.result(),
            Sparkline.millis(outcome.latencyMs()),
            phases(outcome.phases()),
            said.isEmpty() ? "" : ": " + said);
  }

  private static String phases(@Nullable PhasesView phases) {
    if (phases == null) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    phase(parts, "before", phases.before());
    phase(parts, "resolve", phases.resolve());
    phase(parts, "connect", phases.connect());
    phase(parts, "TLS", phases.tls());
    phase(parts, "first byte", phases.firstByte());
    return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
  }

  private static void phase(List<String> parts, String name, @Nullable Double millis) {
    if (millis != null) {
      parts.add(name + " " + Sparkline.millis(millis));
    }
  }

  private String ago(@Nullable String time) {
    try {
      return time == null ? UNKNOWN : Ago.text(Instant.parse(time), now);
    } catch (DateTimeException another) {
      return cut(time == null ? UNKNOWN : time);
    }
  }

  /** A time that has come is now, not "0s ago". */
  private String next(String time) {
    Instant at = Rfc3339.readOrEpoch(time);
    return at.isAfter(now) ? ago(time) : "now";
  }

  private static String cut(String text) {
    return Terminal.line(text, MAX_MESSAGE_LENGTH);
  }
}
