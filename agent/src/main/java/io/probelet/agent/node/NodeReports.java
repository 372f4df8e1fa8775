package io.probelet.agent.node;

import java.time.Duration;

/**
 * What an agent reports to the API server of the node it watches.
 *
 * @param conditions whether it publishes conditions
 * @param events whether it writes events about the Node
 * @param heartbeat how often conditions are written although nothing is new, above zero
 * @param eventNamespace where events about the Node are; empty for the usual namespace
 */
public record NodeReports(
    boolean conditions, boolean events, Duration heartbeat, String eventNamespace) {}
