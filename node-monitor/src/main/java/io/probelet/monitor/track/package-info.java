/**
 * Decides how evidence sets, holds and clears conditions. Everything here is a pure function of
 * state, evidence and time; nothing reads a clock, a file or a socket. Other packages supply
 * evidence and time, and execute the results.
 */
@NullMarked
package io.probelet.monitor.track;

import org.jspecify.annotations.NullMarked;
