/**
 * The journal of systemd. Its files are read by systemd's own library, or by {@code journalctl}
 * where the library is not installed; what is in them is what anybody on the machine has logged.
 */
@NullMarked
package io.probelet.monitor.journal;

import org.jspecify.annotations.NullMarked;
