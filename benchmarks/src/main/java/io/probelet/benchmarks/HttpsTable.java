package io.probelet.benchmarks;

import io.probelet.benchmarks.SideBySide.Result;
import java.util.ArrayList;
import java.util.List;

/** One line for each comparison of HTTPS probes: the first contender against each of the others. */
final class HttpsTable {
  private HttpsTable() {}

  /** The figures of all contenders under one load. */
  record Row(Load load, List<Result> results) {}

  /** {@return a table in Markdown} */
  static List<String> lines(List<Row> rows) {
    List<String> names = rows.getFirst().results().stream().map(Result::contender).toList();
    List<String> head = new ArrayList<>(List.of("target", "asked/s", "done/s"));
    names.forEach(name -> head.add(name + " CPU-µs (min..max)"));
    names.stream().skip(1).forEach(name -> head.add("× " + name));
    List<String> lines = new ArrayList<>();
    lines.add(line(head));
    lines.add("|---".repeat(head.size()) + "|");
    rows.forEach(row -> lines.add(line(cells(row))));
    return lines;
  }

  private static List<String> cells(Row row) {
    Result ours = row.results().getFirst();
    double done =
        ours.windows().stream()
            .mapToDouble(MeasuredWindow::probesPerSecond)
            .average()
            .orElseThrow();
    List<String> cells = new ArrayList<>();
    cells.add(row.load().tls().toString());
    cells.add("%.0f".formatted(row.load().rate()));
    cells.add("%.0f".formatted(done));
    for (Result each : row.results()) {
      Spread cost = Spread.range(each.costs());
      cells.add("%.0f (%.0f..%.0f)".formatted(cost.median(), cost.low(), cost.high()));
    }
    row.results().stream()
        .skip(1)
        .forEach(peer -> cells.add(Ratio.of(ours.costs(), peer.costs()).text()));
    return cells;
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |";
  }
}
