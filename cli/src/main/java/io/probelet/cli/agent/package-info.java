/**
 * The commands that probe: {@code agent} and {@code run}, with the options of every command that
 * watches its node, node-problem-detector's among them.
 */
@NullMarked
package io.probelet.cli.agent;

import org.jspecify.annotations.NullMarked;
