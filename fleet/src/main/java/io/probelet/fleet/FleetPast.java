package io.probelet.fleet;

import java.time.Instant;

/** A remediation that began some time ago, as a RemediationPolicy remembers it. */
public record FleetPast(Instant started, String node, String kind) {}
