/**
 * The leader's work on the monitored nodes of a cluster. Only others can detect that an agent is
 * gone, and a single decider must limit the number of tainted nodes. Decisions are made without
 * I/O.
 */
@NullMarked
package io.probelet.monitor.lifecycle;

import org.jspecify.annotations.NullMarked;
