package io.probelet.fleet;

import java.time.Instant;

/**
 * A remediation that began some time ago, as a RemediationPolicy remembers it.
 *
 * @param started when it began
 * @param node its node's name
 * @param kind its kind
 */
public record FleetPast(Instant started, String node, String kind) {}
