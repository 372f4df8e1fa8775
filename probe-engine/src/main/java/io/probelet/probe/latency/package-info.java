/**
 * What a probe remembers for days: how long its target took to answer, in sketches that can be
 * merged over pods and nodes, and in which order outcomes came. All of it has fixed bounds of
 * memory. {@code probelet advise} derives settings from it.
 */
@NullMarked
package io.probelet.probe.latency;

import org.jspecify.annotations.NullMarked;
