/**
 * The agent's log of containers and node: one line per change, so that no line means no change. It
 * uses SLF4J; the program configures the output.
 */
@NullMarked
package io.probelet.agent.console;

import org.jspecify.annotations.NullMarked;
