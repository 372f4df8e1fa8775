package io.probelet.cli.validate;

import io.probelet.manifest.Manifests;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A line per problem, and a summary line. */
public final class TextReport {
  private TextReport() {}

  /** Prints a report. */
  public static void print(Manifests manifests, PrintWriter out) {
    manifests.problems().forEach(out::println);
    Counts counts = Counts.of(manifests);
    boolean good = counts.errors() + counts.warnings() == 0;
    out.printf(
        "%s, %s%s%n",
        checked(manifests, counts),
        good
            ? "no problems"
            : counted(counts.errors(), "error") + ", " + counted(counts.warnings(), "warning"),
        counts.advice() == 0 ? "" : ", " + pieces(counts.advice()) + " of advice");
    int others = manifests.others().total();
    if (others > 0) {
      List<String> kinds =
          manifests.others().byKind().entrySet().stream()
              .map(each -> each.getKey() + " " + each.getValue())
              .toList();
      out.printf(
          "skipped %s of other kinds: %s%n",
          counted(others, "object"), kinds.stream().collect(Collectors.joining(", ")));
    }
  }

  /** {@return what was checked; Pods are left out if there is only something else} */
  private static String checked(Manifests manifests, Counts counts) {
    List<String> parts = new ArrayList<>();
    if (counts.pods() > 0 || manifests.checked().total() == 0) {
      parts.add(counted(counts.pods(), "pod"));
      parts.add(counted(counts.probes(), "probe"));
    }
    manifests.checked().byKind().forEach((kind, number) -> parts.add(counted(number, kind)));
    return String.join(", ", parts);
  }

  private static String pieces(long number) {
    return counted(number, "piece");
  }

  private static String counted(long number, String word) {
    if (number == 1) {
      return number + " " + word;
    }
    return number
        + " "
        + (word.endsWith("y") ? word.substring(0, word.length() - 1) + "ies" : word + "s");
  }
}
