package io.probelet.document.selector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Things that select objects by labels, found by a label that their objects must have, so that the
 * cost for an object hardly depends on how many things there are. Those that require no value of a
 * label are compared with every object. Not changed after its creation.
 *
 * @param <T> what selects
 */
public final class LabelIndex<T> {
  private final Function<T, LabelSelector> selector;
  private final Comparator<T> order;
  private final Map<String, Map<String, List<T>>> byLabel = new HashMap<>();
  private final List<T> others = new ArrayList<>();

  /**
   * Creates an index.
   *
   * @param all what selects
   * @param selector of each, always the same
   * @param order in which they are found
   */
  public LabelIndex(
      Collection<? extends T> all, Function<T, LabelSelector> selector, Comparator<T> order) {
    this.selector = selector;
    this.order = order;
    Map<Map.Entry<String, String>, Integer> uses = new HashMap<>();
    for (T each : all) {
      selector
          .apply(each)
          .matchLabels()
          .entrySet()
          .forEach(label -> uses.merge(label, 1, Integer::sum));
    }
    all.forEach(each -> home(each, uses).add(each));
  }

  /** Those with the same rarest label: thousands may share another one, such as a pool. */
  private List<T> home(T one, Map<Map.Entry<String, String>, Integer> uses) {
    return selector.apply(one).matchLabels().entrySet().stream()
        .min(Comparator.comparingInt(label -> uses.getOrDefault(label, 0)))
        .map(label ->
            byLabel
                .computeIfAbsent(label.getKey(), key -> new HashMap<>())
                .computeIfAbsent(label.getValue(), value -> new ArrayList<>()))
        .orElse(others);
  }

  /**
   * Finds what selects an object.
   *
   * @param labels of the object
   * @return a new list, in order
   */
  public List<T> selecting(Map<String, String> labels) {
    List<T> found = new ArrayList<>();
    select(others, labels, found);
    byLabel.forEach((key, byValue) -> {
      String value = labels.get(key);
      if (value != null) {
        select(byValue.getOrDefault(value, List.of()), labels, found);
      }
    });
    found.sort(order);
    return found;
  }

  private void select(List<T> candidates, Map<String, String> labels, List<T> found) {
    for (T each : candidates) {
      if (selector.apply(each).matches(labels)) {
        found.add(each);
      }
    }
  }
}
