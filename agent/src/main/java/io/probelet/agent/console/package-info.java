/**
 * What an agent says while it runs: one line for each change, so that a quiet console means that
 * nothing changed. All goes through SLF4J; what becomes of it is for the program to say.
 */
@NullMarked
package io.probelet.agent.console;

import org.jspecify.annotations.NullMarked;
