/**
 * Watching one node: evidence from its logs, from plugins and from checks becomes node conditions,
 * which clear again. Rules are data ({@code rule}), what follows from evidence is decided without
 * any I/O ({@code track}), and the shells around that read, run and write. Files, plugins, metrics
 * and ports of node-problem-detector work as they are.
 */
@NullMarked
package io.probelet.monitor;

import org.jspecify.annotations.NullMarked;
