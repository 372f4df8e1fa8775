/**
 * Watching the node this program runs on: which monitors, from which files, and where what they
 * find is reported. What is decided about it is decided in node-monitor.
 */
@NullMarked
package io.probelet.agent.node;

import org.jspecify.annotations.NullMarked;
