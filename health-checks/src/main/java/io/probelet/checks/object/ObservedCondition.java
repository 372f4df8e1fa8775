package io.probelet.checks.object;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the checks read of an object's condition, whichever of the many model classes it is. */
record ObservedCondition(
    @Nullable String type,
    @Nullable String status,
    @Nullable String reason,
    @Nullable String message) {

  static <C> List<ObservedCondition> list(
      @Nullable List<C> conditions, Function<C, ObservedCondition> read) {
    return conditions == null ? List.of() : conditions.stream().map(read).toList();
  }
}
