/**
 * Leader election with a Lease. A candidate measures durations with its own clock and ignores times
 * written by others, so clocks may differ. The leader stops acting well before another candidate
 * may take over, even if it was frozen.
 */
@NullMarked
package io.probelet.kube.election;

import org.jspecify.annotations.NullMarked;
