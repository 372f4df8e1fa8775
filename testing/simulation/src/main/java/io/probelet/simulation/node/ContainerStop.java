package io.probelet.simulation.node;

/**
 * A request to stop a container that reached the runtime, for rules.
 *
 * @param at when, in the world's time
 * @param process who asked
 * @param instance which instance
 * @param ran whether it ran then
 * @param again whether it had been asked to stop before, which a retry does
 */
public record ContainerStop(
    long at, String process, ContainerInstance instance, boolean ran, boolean again) {}
