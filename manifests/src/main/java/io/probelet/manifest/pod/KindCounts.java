package io.probelet.manifest.pod;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers of objects by kind.
 *
 * @param byKind number by kind, in the order of names
 */
public record KindCounts(Map<String, Integer> byKind) {
  /** None. */
  public static final KindCounts NONE = new KindCounts(Map.of());

  /** Maximum number of distinguished kinds, because their names are untrusted. */
  private static final int MAX_KINDS = 50;

  private static final int MAX_NAME = 63;
  private static final String FURTHER = "others";

  /** Keeps an unmodifiable copy. */
  public KindCounts {
    byKind = Collections.unmodifiableMap(new TreeMap<>(byKind));
  }

  /** Counts one more. */
  public KindCounts with(String kind) {
    return with(kind, 1);
  }

  /** Adds the counts of both. */
  public KindCounts with(KindCounts more) {
    KindCounts sum = this;
    for (Map.Entry<String, Integer> each : more.byKind.entrySet()) {
      sum = sum.with(each.getKey(), each.getValue());
    }
    return sum;
  }

  private KindCounts with(String kind, int number) {
    boolean distinct = byKind.containsKey(kind) || byKind.size() < MAX_KINDS;
    String name = distinct && kind.length() <= MAX_NAME ? kind : FURTHER;
    Map<String, Integer> sums = new TreeMap<>(byKind);
    sums.merge(name, number, Integer::sum);
    return new KindCounts(sums);
  }

  /** {@return the total number} */
  public int total() {
    return byKind.values().stream().mapToInt(Integer::intValue).sum();
  }
}
