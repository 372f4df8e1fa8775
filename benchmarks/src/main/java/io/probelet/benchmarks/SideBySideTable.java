package io.probelet.benchmarks;

import io.probelet.benchmarks.SideBySide.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The table of a {@link SideBySide}; the others are compared with the last contender, the first one
 * with each.
 */
final class SideBySideTable {
  private static final double DISTURBED = 0.1;

  private SideBySideTable() {}

  /** {@return the lines of the table with remarks} */
  static List<String> lines(List<Result> results) {
    List<String> lines = new ArrayList<>();
    Result measure = results.getLast();
    boolean alone = results.size() == 1;
    lines.add(
        "%-18s %12s %15s %9s %9s %8s %8s  %s"
            .formatted(
                "",
                "CPU-µs/probe",
                "min..max",
                "probes/s",
                "% of core",
                "RSS MiB",
                "peak",
                alone ? "" : "× " + measure.contender())
            .stripTrailing());
    for (Result one : results) {
      Spread cost = Spread.range(one.costs());
      lines.add(
          "%-18s %12.1f %15s %9.0f %9.2f %8.1f %8.1f  %s"
              .formatted(
                  one.contender(),
                  cost.median(),
                  "%.1f..%.1f".formatted(cost.low(), cost.high()),
                  mean(one, MeasuredWindow::probesPerSecond),
                  100 * mean(one, MeasuredWindow::cpuShare),
                  one.rssMiB(),
                  one.peakRssMiB(),
                  one.equals(measure) ? "" : Ratio.of(one.costs(), measure.costs()).text())
              .stripTrailing());
    }
    if (!alone) {
      int windows = measure.windows().size();
      lines.add(
          "median of %d windows each, taking turns; a ratio is that of the pairs, in brackets where it lies with %.0f %% certainty"
              .formatted(windows, 100 * Spread.certainty(windows)));
    }
    for (Result peer : results.subList(1, Math.max(1, results.size() - 1))) {
      lines.add(
          "%s: %s × %s"
              .formatted(
                  results.getFirst().contender(),
                  Ratio.of(results.getFirst().costs(), peer.costs()).text(),
                  peer.contender()));
    }
    lines.add(others(results));
    Result ours = results.getFirst();
    lines.add(
        "%s: first probe %.2f s after the process was started"
            .formatted(ours.contender(), ours.firstProbeSeconds()));
    ours.remarks().forEach(remark -> lines.add(ours.contender() + ": " + remark));
    return lines;
  }

  /** What else ran. */
  private static String others(List<Result> results) {
    List<MeasuredWindow> all = results.stream().flatMap(one -> one.windows().stream()).toList();
    Spread others = Spread.range(all.stream().map(MeasuredWindow::othersShare).toList());
    Spread stolen = Spread.range(all.stream().map(MeasuredWindow::stolenShare).toList());
    long disturbed =
        all.stream().filter(one -> one.othersShare() + one.stolenShare() > DISTURBED).count();
    return "beside it: other programs took %.1f %% of a core (at most %.1f), the host %.1f %% (at most %.1f); %d of %d windows disturbed (more than %.0f %%)"
        .formatted(
            100 * others.median(),
            100 * others.high(),
            100 * stolen.median(),
            100 * stolen.high(),
            disturbed,
            all.size(),
            100 * DISTURBED);
  }

  private static double mean(Result result, ToDoubleFunction<MeasuredWindow> figure) {
    return result.windows().stream().mapToDouble(figure).average().orElseThrow();
  }
}
