/**
 * The world itself: virtual time, machines and their clocks, processes and their threads, all on
 * one thread.
 */
@NullMarked
package io.probelet.simulation.kernel;

import org.jspecify.annotations.NullMarked;
