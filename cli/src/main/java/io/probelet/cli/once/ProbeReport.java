package io.probelet.cli.once;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.cli.once.TlsFacts.Shown;
import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Prints the result of a probe, for people or as one JSON object. */
final class ProbeReport {
  private ProbeReport() {}

  /** Prints lines for people; the target's answer comes last. */
  static void print(SingleProbe probe, ProbeRuns runs, PrintWriter out) {
    ProbeOutcome worst = runs.worst();
    int count = runs.outcomes().size();
    out.println(
        count == 1
            ? word(worst.verdict()) + "  " + probe.what()
            : "%d of %d healthy  %s".formatted(runs.healthy(), count, probe.what()));
    if (count == 1) {
      Phases.of(worst).forEach((phase, took) -> line(out, phase, took));
      line(out, "total", worst.timings().total());
    } else {
      table(runs).forEach(line -> out.println("  " + line));
    }
    TlsFacts tls = runs.tls();
    if (tls != null) {
      out.println("  TLS        " + tls.version() + ", " + tls.cipher());
      tls.chain().forEach(shown -> out.println("  certificate " + text(shown)));
    }
    String text = Terminal.printable(worst.verdict().text()).strip();
    if (!text.isEmpty()) {
      out.println(text);
    }
  }

  private static void line(PrintWriter out, String phase, long nanos) {
    out.printf(Locale.ROOT, "  %-10s %9.3f ms%n", phase, nanos / 1e6);
  }

  private static List<String> table(ProbeRuns runs) {
    List<String> heads = new ArrayList<>(List.of("MILLISECONDS"));
    ProbeRuns.PERCENTILES.forEach(each -> heads.add(each == 100 ? "MAX" : "P" + each));
    Table table = new Table(heads.toArray(String[]::new));
    runs.percentiles()
        .forEach((phase, ranks) -> {
          List<String> cells = new ArrayList<>(List.of(phase));
          for (long rank : ranks) {
            cells.add(String.format(Locale.ROOT, "%.3f", rank / 1e6));
          }
          table.add(cells);
        });
    return table.lines();
  }

  private static String text(Shown shown) {
    return "%s, issued by %s, expires %s".formatted(shown.subject(), shown.issuer(), shown.until());
  }

  /** {@return the same as one object; keys that end with Ms hold milliseconds} */
  static ObjectNode json(SingleProbe probe, ProbeRuns runs) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("target", probe.what());
    root.put("healthy", runs.healthy());
    ArrayNode list = root.putArray("probes");
    for (ProbeOutcome outcome : runs.outcomes()) {
      ObjectNode entry = list.addObject();
      entry.put("result", word(outcome.verdict()));
      entry.put("message", outcome.verdict().text());
      if (outcome.verdict() instanceof Verdict.Failure failure) {
        entry.put("reason", failure.cause().label());
      }
      ObjectNode phases = entry.putObject("phasesMs");
      Phases.of(outcome).forEach((phase, took) -> phases.put(key(phase), millis(took)));
      entry.put("totalMs", millis(outcome.timings().total()));
    }
    if (runs.outcomes().size() > 1) {
      ObjectNode percentiles = root.putObject("percentilesMs");
      runs.percentiles()
          .forEach((phase, ranks) -> {
            ObjectNode of = percentiles.putObject(key(phase));
            for (int i = 0; i < ranks.length; i++) {
              int percentile = ProbeRuns.PERCENTILES.get(i);
              of.put(percentile == 100 ? "max" : "p" + percentile, millis(ranks[i]));
            }
          });
    }
    TlsFacts tls = runs.tls();
    if (tls != null) {
      ObjectNode facts = root.putObject("tls");
      facts.put("version", tls.version()).put("cipher", tls.cipher());
      ArrayNode chain = facts.putArray("chain");
      for (Shown shown : tls.chain()) {
        chain
            .addObject()
            .put("subject", shown.subject())
            .put("issuer", shown.issuer())
            .put("notBefore", shown.from().toString())
            .put("notAfter", shown.until().toString());
      }
    }
    return root;
  }

  /** The name of a phase as in the agent's API. */
  private static String key(String phase) {
    return switch (phase) {
      case "TLS" -> "tls";
      case "first byte" -> "firstByte";
      case "no answer" -> "noAnswer";
      default -> phase;
    };
  }

  private static double millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos) / 1_000.0;
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Success _ -> "success";
      case Verdict.Warning _ -> "warning";
      case Verdict.Failure _ -> "failure";
      case Verdict.ProberError _ -> "error";
    };
  }
}
