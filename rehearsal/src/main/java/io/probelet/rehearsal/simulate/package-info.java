/**
 * The files and pictures of {@code probelet simulate}: reads NodeHealthChecks, templates and a
 * scenario, and prints the timeline as a table, as JSON and as a drawing. What happens in between
 * is decided in node-health, by the planner that a cluster has.
 */
@NullMarked
package io.probelet.rehearsal.simulate;

import org.jspecify.annotations.NullMarked;
