/** The system's D-Bus, by hand: what is asked of systemd and logind, and nothing else. */
@NullMarked
package io.probelet.monitor.bus;

import org.jspecify.annotations.NullMarked;
