package io.probelet.web.machine;

import com.google.re2j.Pattern;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What network interfaces have received and sent, from {@code net/dev}. */
final class NetStatistics {
  /** The columns of the file. */
  private static final List<String> COLUMNS =
      List.of(
          "rx_bytes",
          "rx_packets",
          "rx_errors",
          "rx_dropped",
          "rx_fifo",
          "rx_frame",
          "rx_compressed",
          "rx_multicast",
          "tx_bytes",
          "tx_packets",
          "tx_errors",
          "tx_dropped",
          "tx_fifo",
          "tx_collisions",
          "tx_carrier",
          "tx_compressed");

  private final ProcFiles proc;
  private final Optional<Pattern> hidden;

  NetStatistics(ProcFiles proc, Optional<Pattern> hidden) {
    this.proc = proc;
    this.hidden = hidden;
  }

  Stream<Statistic> all() {
    return IntStream.range(0, COLUMNS.size())
        .mapToObj(
            column -> Statistic.counter("net/" + COLUMNS.get(column), () -> interfaces(column)));
  }

  private Map<Labels, Double> interfaces(int column) throws IOException {
    Map<Labels, Double> values = new LinkedHashMap<>();
    for (String line : proc.lines("net/dev")) {
      int colon = line.lastIndexOf(':'); // an alias has one in its name
      String name = line.substring(0, Math.max(0, colon)).strip();
      if (!name.isEmpty() && !hidden.map(pattern -> pattern.matcher(name).find()).orElse(false)) {
        String[] words = ProcFiles.words(line.substring(colon + 1));
        values.put(Labels.of("interface_name", name), Double.parseDouble(words[column]));
      }
    }
    return values;
  }
}
