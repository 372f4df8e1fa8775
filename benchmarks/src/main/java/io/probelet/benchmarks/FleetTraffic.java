package io.probelet.benchmarks;

import io.probelet.benchmarks.FleetServer.Seen;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The requests of a part of a run, and how they were spread. */
record FleetTraffic(List<Seen> requests) {
  private static final int TOO_MANY = 429;

  /** Keeps an unmodifiable copy. */
  FleetTraffic {
    requests = List.copyOf(requests);
  }

  /** {@return the number of requests other than watches} */
  long withoutWatches() {
    return requests.stream().filter(each -> !each.isWatch()).count();
  }

  /** {@return the number of requests that the server had no room for} */
  long rejected() {
    return requests.stream().filter(each -> each.code() == TOO_MANY).count();
  }

  /** {@return the most requests in a second} */
  long peak() {
    return requests.stream()
        .collect(Collectors.groupingBy(each -> each.millis() / 1000, Collectors.counting()))
        .values()
        .stream()
        .max(Comparator.naturalOrder())
        .orElse(0L);
  }

  /**
   * {@return the seconds in which nine tenths of the requests came, without the earliest and the
   * latest twentieth}
   */
  double spreadSeconds() {
    List<Long> times = requests.stream().map(Seen::millis).sorted().toList();
    if (times.isEmpty()) {
      return 0;
    }
    int from = times.size() / 20;
    int to = times.size() - 1 - from;
    return (times.get(to) - times.get(from)) / 1e3;
  }

  /** {@return only those of one kind, successful or not} */
  FleetTraffic of(String verb, String resource) {
    return new FleetTraffic(
        requests.stream()
            .filter(each -> each.verb().equals(verb) && each.resource().equals(resource))
            .toList());
  }

  /** {@return how many there were of each kind and status, the most frequent first} */
  String kinds() {
    Map<String, Long> counts =
        requests.stream()
            .collect(
                Collectors.groupingBy(
                    each ->
                        each.verb()
                            + " "
                            + each.resource()
                            + (each.code() < 300 ? "" : " (" + each.code() + ")"),
                    TreeMap::new,
                    Collectors.counting()));
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
