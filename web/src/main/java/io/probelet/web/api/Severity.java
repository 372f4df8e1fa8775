package io.probelet.web.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How bad something is. Every list of containers and conditions shows the worst first, in this
 * order.
 */
public enum Severity {
  /** It does not do what it is for. */
  UNHEALTHY("unhealthy"),
  /** It works, with something to check. */
  WARNING("with a warning"),
  /** It is starting, or nothing is known. */
  UNKNOWN("unknown"),
  /** It is as it should be. */
  HEALTHY("healthy");

  private final String words;

  Severity(String words) {
    this.words = words;
  }

  /** {@return the words for it, which follow a number} */
  public String words() {
    return words;
  }

  /**
   * {@return some items, the worst first; those alike stay in their order}
   *
   * @param severity how bad each is; called once for each
   */
  public static <T> List<T> worstFirst(Collection<T> items, Function<T, Severity> severity) {
    Map<Severity, List<T>> sorted = new EnumMap<>(Severity.class);
    for (T item : items) {
      sorted.computeIfAbsent(severity.apply(item), _ -> new ArrayList<>()).add(item);
    }
    return sorted.values().stream().flatMap(List::stream).toList();
  }

  /**
   * {@return what a list leaves out, such as {@code and 37 more, all healthy} or {@code and 14
   * more: 12 unhealthy, 2 healthy}; empty for nothing}
   *
   * @param hidden how bad each of those left out is
   */
  public static String more(Collection<Severity> hidden) {
    return hidden.isEmpty() ? "" : "and " + hidden.size() + " more" + kinds(hidden);
  }

  /**
   * {@return what follows a number of items: {@code , all healthy} or {@code : 12 unhealthy, 2
   * healthy}}
   *
   * @param items how bad each is, at least one
   */
  public static String kinds(Collection<Severity> items) {
    Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
    items.forEach(each -> counts.merge(each, 1, Integer::sum));
    if (counts.size() == 1) {
      return (items.size() == 1 ? ", " : ", all ") + items.iterator().next().words();
    }
    return counts.entrySet().stream()
        .map(count -> count.getValue() + " " + count.getKey().words())
        .collect(Collectors.joining(", ", ": ", ""));
  }
}
