/**
 * The running monitor: readers and runners on their own threads send evidence to one loop, which
 * owns all trackers without locks. Results go to listeners and to a small state file for restarts.
 * A failed reader is restarted and affects no other.
 */
@NullMarked
package io.probelet.monitor.node;

import org.jspecify.annotations.NullMarked;
