package io.probelet.probe.engine;

import io.probelet.probe.ProbeHandler;
import io.probelet.probe.Prober;
import java.util.random.RandomGenerator;

/** What all workers of one loop share. */
record LoopContext(
    ProbeLoop loop,
    Prober<ProbeHandler> prober,
    StallWatch stallWatch,
    ColdStart coldStart,
    ProbeTurns turns,
    LoopActivity pulse,
    RandomGenerator random,
    StartJitter firstTicks,
    ResultsManager results,
    ProbeListener listener,
    RestartGate gate,
    StartupMemory startups,
    HistoryBudget histories,
    StatisticsBudget statistics,
    StatisticsMemory memory,
    long agentStartNanos) {}
