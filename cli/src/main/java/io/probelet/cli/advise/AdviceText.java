package io.probelet.cli.advise;

import io.probelet.fleet.AskedNodes;
import io.probelet.fleet.AskedNodes.Unanswered;
import io.probelet.fleet.advise.AdviceReport;
import io.probelet.fleet.advise.Proposal;
import io.probelet.fleet.advise.WorkloadAdvice;
import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Advice as lines for people. */
public final class AdviceText {
  private static final int MAX_UNANSWERED = 10;

  private final List<String> lines = new ArrayList<>();

  private AdviceText() {}

  /** {@return the lines} */
  public static List<String> of(AdviceReport report) {
    AdviceText text = new AdviceText();
    report.containers().stream()
        .sorted(Comparator.comparing(each -> each.proposals().isEmpty()))
        .forEach(text::container);
    text.summary(report);
    return text.lines;
  }

  private void container(WorkloadAdvice advice) {
    lines.add(heading(advice));
    advice.probes().forEach(data -> lines.add("  " + data(data)));
    for (Proposal proposal : advice.proposals()) {
      lines.add(
          "  %s: %s → %s (%s)"
              .formatted(name(proposal), proposal.today(), proposal.proposed(), proposal.rule()));
      lines.add("    why:    " + proposal.reason());
      lines.add("    effect: " + proposal.effect());
    }
    advice.notes().forEach(note -> lines.add("  " + note));
    if (advice.proposals().isEmpty() && advice.notes().isEmpty()) {
      lines.add("  no proposal");
    }
    lines.add("");
  }

  private static String name(Proposal proposal) {
    return proposal.field().isEmpty()
        ? proposal.probe()
        : proposal.probe() + "." + proposal.field();
  }

  private static String heading(WorkloadAdvice advice) {
    if (advice.nodes() == 0) { // Prometheus does not tell
      return "%s: %s".formatted(advice.subject(), counted(advice.pods(), "pod"));
    }
    return "%s: %s on %s, %s%s"
        .formatted(
            advice.subject(),
            counted(advice.pods(), "pod"),
            counted(advice.nodes(), "node"),
            counted(advice.restarts(), "restart"),
            advice.otherPods() == 0
                ? ""
                : "; " + counted(advice.otherPods(), "pod") + " with other settings left out");
  }

  private static String data(WorkloadAdvice.Data data) {
    return "%s: %s in %s, %s, median %s, 99%% within %s, longest %s%s"
        .formatted(
            data.probe(),
            counted(data.outcomes(), "outcome"),
            GoDuration.format(Duration.ofSeconds(data.seconds())),
            counted(data.failures(), "failure"),
            millis(data.p50Ms()),
            millis(data.p99Ms()),
            millis(data.maxMs()),
            data.starts() == 0 ? "" : ", " + counted(data.starts(), "start"));
  }

  private static String millis(double millis) {
    return millis < 10 ? "%.1fms".formatted(millis) : "%,dms".formatted(Math.round(millis));
  }

  private void summary(AdviceReport report) {
    long proposals = report.containers().stream().mapToLong(each -> each.proposals().size()).sum();
    lines.add(
        "%s for %s"
            .formatted(
                counted(proposals, "proposal"), counted(report.containers().size(), "container")));
    if (report.left() > 0) {
      lines.add("left out because a limit is reached: " + counted(report.left(), "container"));
    }
    if (report.invalid() > 0) {
      lines.add("left out because an agent's answer is invalid: " + report.invalid());
    }
    if (report.probesWithout() > 0) {
      lines.add(
          counted(report.probesWithout(), "probe")
              + " without statistics, because agents' memory for them is full");
    }
    AskedNodes cluster = report.cluster();
    if (cluster != null && !cluster.complete()) {
      lines.add(
          "%d of %d nodes answered, %d were not asked"
              .formatted(
                  cluster.asked() - cluster.unanswered().size(),
                  cluster.nodes(),
                  cluster.nodes() - cluster.asked()));
      cluster.unanswered().stream()
          .limit(MAX_UNANSWERED)
          .map(AdviceText::unanswered)
          .forEach(lines::add);
    }
  }

  private static String unanswered(Unanswered node) {
    return "  " + node.node() + ": " + node.why();
  }

  private static String counted(long number, String word) {
    return "%,d %s%s".formatted(number, word, number == 1 ? "" : "s");
  }
}
