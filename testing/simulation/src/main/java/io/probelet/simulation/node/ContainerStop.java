package io.probelet.simulation.node;

import java.time.Duration;

/**
 * A request to stop a container that reached the runtime, for rules.
 *
 * @param at when, in the world's time
 * @param process who asked
 * @param instance which instance
 * @param grace the time between TERM and KILL
 * @param ran whether it ran then
 * @param again whether it had been asked to stop before, which a retry does
 */
public record ContainerStop(
    long at,
    String process,
    ContainerInstance instance,
    Duration grace,
    boolean ran,
    boolean again) {}
