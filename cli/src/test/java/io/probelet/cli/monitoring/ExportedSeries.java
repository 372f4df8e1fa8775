package io.probelet.cli.monitoring;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The series of scrapes: of each metric its labels, and the values that they had. */
final class ExportedSeries {
  private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:\\\\.|[^\"\\\\])*)\"");

  private final Map<String, Map<String, Set<String>>> metrics = new TreeMap<>();

  /** Adds what a scrape read. */
  ExportedSeries add(String scraped) {
    for (String line : scraped.lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (!line.startsWith("#") && sample.matches()) {
        Map<String, Set<String>> labels =
            metrics.computeIfAbsent(sample.group(1), _ -> new TreeMap<>());
        if (sample.group(2) != null) {
          LABEL
              .matcher(sample.group(2))
              .results()
              .forEach(label ->
                  labels.computeIfAbsent(label.group(1), _ -> new TreeSet<>()).add(label.group(2)));
        }
      }
    }
    return this;
  }

  Set<String> names() {
    return metrics.keySet();
  }

  /** The labels of a metric; none if there is no such metric. */
  Set<String> labels(String metric) {
    return metrics.getOrDefault(metric, Map.of()).keySet();
  }

  Set<String> values(String metric, String label) {
    return metrics.getOrDefault(metric, Map.of()).getOrDefault(label, Set.of());
  }
}
