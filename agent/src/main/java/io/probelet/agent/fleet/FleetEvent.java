package io.probelet.agent.fleet;

import java.time.Instant;

/**
 * An event about a node, or about what is done to nodes.
 *
 * @param time when it happened last
 * @param count how often it happened, at least 1
 * @param warning whether its type is Warning
 * @param kind of the object it is about
 * @param namespace of that object; empty if it has none
 * @param name of that object
 * @param reason one word
 * @param message a sentence, at most 1,024 characters
 * @param source who says so
 */
public record FleetEvent(
    Instant time,
    int count,
    boolean warning,
    String kind,
    String namespace,
    String name,
    String reason,
    String message,
    String source) {}
