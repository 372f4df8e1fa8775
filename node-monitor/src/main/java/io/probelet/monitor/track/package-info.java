/**
 * What evidence comes to: conditions that are set, held and cleared. Everything here is a pure
 * function of what was there, what was seen and the moment; nothing reads a clock, a file or a
 * socket. Shells bring evidence and the time, and carry out what came of it.
 */
@NullMarked
package io.probelet.monitor.track;

import org.jspecify.annotations.NullMarked;
