package io.probelet.web.api;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Defaults for fields that another agent leaves out. It may have an earlier version, or be hostile.
 */
public final class JsonDefaults {
  private JsonDefaults() {}

  public static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  public static <T> List<T> list(@Nullable List<? extends @Nullable T> list) {
    return list == null
        ? List.of()
        : list.stream()
            .filter(Predicate.not(Objects::isNull))
            .<T>map(Objects::requireNonNull)
            .toList();
  }

  public static Map<String, Long> counts(@Nullable Map<String, ? extends @Nullable Long> counts) {
    return counts == null
        ? Map.of()
        : counts.entrySet().stream()
            .filter(entry -> entry.getValue() != null)
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> Objects.requireNonNull(entry.getValue())));
  }
}
