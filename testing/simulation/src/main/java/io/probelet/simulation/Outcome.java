package io.probelet.simulation;

import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.rules.Findings.Broken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a world went.
 *
 * @param seed its seed
 * @param settings what it was made of, for people
 * @param broken the first rule that did not hold
 * @param faults what went wrong until then
 * @param checks how often each rule was checked
 * @param took how long it was, in virtual time
 * @param steps how many threads and events ran
 * @param trace the last lines of what happened
 * @param traceLines how many lines there were
 * @param checksum of all lines
 */
record Outcome(
    long seed,
    String settings,
    Optional<Broken> broken,
    List<Fault> faults,
    Map<String, Long> checks,
    Duration took,
    long steps,
    List<String> trace,
    long traceLines,
    long checksum) {}
