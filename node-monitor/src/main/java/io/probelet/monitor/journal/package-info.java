/**
 * Reads the systemd journal with systemd's own library, or with {@code journalctl} where the
 * library is not installed. Anyone on the machine may have written its entries.
 */
@NullMarked
package io.probelet.monitor.journal;

import org.jspecify.annotations.NullMarked;
