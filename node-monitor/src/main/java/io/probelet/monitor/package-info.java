/**
 * Node monitoring: turns evidence from logs, plugins and checks into node conditions, which clear
 * again. Rules are data ({@code rule}), decisions are made without I/O ({@code track}), and the
 * other packages read, run and write. Files, plugins, metrics and ports of node-problem-detector
 * work unchanged.
 */
@NullMarked
package io.probelet.monitor;

import org.jspecify.annotations.NullMarked;
