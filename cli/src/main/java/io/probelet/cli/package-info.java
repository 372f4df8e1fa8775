/**
 * The program: its commands, and the wiring of all other modules into one process. Only here are
 * real clocks, event loops, adapters and listeners chosen and connected. This package may depend on
 * all others; none may depend on it.
 */
@NullMarked
package io.probelet.cli;

import org.jspecify.annotations.NullMarked;
