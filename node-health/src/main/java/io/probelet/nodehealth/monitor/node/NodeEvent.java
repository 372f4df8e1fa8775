package io.probelet.nodehealth.monitor.node;

import java.time.Instant;

/**
 * Something that happened on the node.
 *
 * @param source the monitor that saw it
 * @param reason one word in UpperCamelCase for programs
 * @param message what was seen, cleaned and bounded (B-14)
 * @param at when it happened
 * @param problem whether it is bad news
 */
public record NodeEvent(
    String source, String reason, String message, Instant at, boolean problem) {}
