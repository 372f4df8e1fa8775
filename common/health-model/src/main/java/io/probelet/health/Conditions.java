package io.probelet.health;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The conditions of one object, in order (CH-2).
 *
 * <p>Several writers share such a list, so methods leave other types unchanged and in place.
 *
 * @param list the conditions; where a type appears twice, the first one counts
 */
public record Conditions(List<Condition> list) {

  /** The list of an object that has none. */
  public static final Conditions NONE = new Conditions(List.of());

  /** Keeps an unmodifiable copy of the list. */
  public Conditions {
    list = List.copyOf(list);
  }

  /**
   * {@return the condition of that type, if there is one}
   *
   * @param type a condition type
   */
  public Optional<Condition> get(String type) {
    return list.stream().filter(condition -> condition.type().equals(type)).findFirst();
  }

  /**
   * {@return the condition of that type, or an initial one}
   *
   * @param type a condition type, never blank
   * @param now the wall time, used for an initial condition only
   */
  public Condition getOrInitial(String type, Instant now) {
    return get(type).orElseGet(() -> Condition.initial(type, now));
  }

  /**
   * Replaces conditions of the same type in place and appends the others.
   *
   * @param news the new conditions; of two with the same type the last one counts
   * @return the merged list, equal to this one if nothing in it changed
   */
  public Conditions merge(Collection<Condition> news) {
    Map<String, Condition> byType = new LinkedHashMap<>();
    list.forEach(condition -> byType.putIfAbsent(condition.type(), condition));
    // CH-2: a LinkedHashMap keeps the place of a key it holds and appends one it does not.
    news.forEach(condition -> byType.put(condition.type(), condition));
    return new Conditions(new ArrayList<>(byType.values()));
  }

  /**
   * {@return the list without the conditions of these types}
   *
   * @param types condition types, present or not
   */
  public Conditions without(Set<String> types) {
    return new Conditions(
        list.stream().filter(condition -> !types.contains(condition.type())).toList());
  }
}
