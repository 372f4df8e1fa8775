/**
 * The commands that probe, {@code agent} and {@code run}, and the options of node monitoring,
 * including node-problem-detector's.
 */
@NullMarked
package io.probelet.cli.agent;

import org.jspecify.annotations.NullMarked;
