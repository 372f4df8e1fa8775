package io.probelet.agent.cluster.restart;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.restart.WorkloadReport.Passed;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how often a budget was not checked, and why. Count from one thread at a time; any thread
 * may read.
 */
final class PassedCount {
  private final Map<Passed, LongAdder> counts = new EnumMap<>(Passed.class);
  private final Set<Passed> said = EnumSet.noneOf(Passed.class);

  PassedCount() {
    for (Passed reason : Passed.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  void addTo(MeterRegistry metrics, String name, String description) {
    counts.forEach((reason, count) ->
        FunctionCounter.builder(name, count, LongAdder::sum)
            .description(description)
            .tag("reason", reason.label())
            .register(metrics));
  }

  /** Counts one; returns whether it is the first of its kind since {@link #known}. */
  boolean first(Passed reason) {
    counted(reason).increment();
    return said.add(reason);
  }

  /** The API server has answered; returns whether that is news. */
  boolean known() {
    return said.remove(Passed.API);
  }

  void add(Passed reason) {
    counted(reason).increment();
  }

  long of(Passed reason) {
    return counted(reason).sum();
  }

  private LongAdder counted(Passed reason) {
    return Objects.requireNonNull(counts.get(reason), "each reason is counted");
  }
}
