package io.probelet.nodehealth.monitor.rule;

import org.jspecify.annotations.Nullable;

/**
 * What counts as a problem in a log.
 *
 * @param consequence what follows
 * @param pattern matches the problem
 * @param clear matches its end; null if no line tells it (B-1)
 * @param suffix appended to the matched text; empty for nothing
 */
public record LogRule(
    Consequence consequence, LinePattern pattern, @Nullable LinePattern clear, String suffix) {}
