/**
 * A hand-written client for the system's D-Bus, limited to the calls to systemd and logind that
 * Probelet makes.
 */
@NullMarked
package io.probelet.monitor.bus;

import org.jspecify.annotations.NullMarked;
