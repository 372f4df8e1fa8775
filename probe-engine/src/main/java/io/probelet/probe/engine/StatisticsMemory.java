package io.probelet.probe.engine;

import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.latency.ProbeStatistics;
import org.jspecify.annotations.Nullable;

/** What probes saw in an earlier life of the agent, so that its restart does not lose days. */
@FunctionalInterface
public interface StatisticsMemory {
  /** Remembers nothing. */
  StatisticsMemory NONE = (subject, spec) -> null;

  /**
   * Asks about a probe that begins; called on its pod's loop, so it must not block.
   *
   * @param subject which probe
   * @param spec its settings; statistics of others would mislead
   * @return what was kept; null for nothing
   */
  @Nullable ProbeStatistics remembered(ProbeSubject subject, ProbeSpec spec);
}
