package io.probelet.agent.statistics;

import io.probelet.probe.engine.ProbeEngine;
import io.probelet.web.statistics.StatisticsView.Usage;

/**
 * What the statistics of an engine take.
 *
 * @param engine asked at each call
 */
public record EngineUsage(ProbeEngine engine) implements Usage {
  @Override
  public long usedBytes() {
    return engine.statisticsBytes();
  }

  @Override
  public long limitBytes() {
    return ProbeEngine.statisticsLimit();
  }

  @Override
  public int probesWithout() {
    return engine.withoutStatistics();
  }
}
