/**
 * The program: command line, configuration and the wiring of all other rooms into one process. Here
 * and nowhere else are real clocks, event loops, adapters and listeners chosen and connected.
 * Everybody may be known here, and nobody may know this package.
 */
@NullMarked
package io.probelet.cli;

import org.jspecify.annotations.NullMarked;
