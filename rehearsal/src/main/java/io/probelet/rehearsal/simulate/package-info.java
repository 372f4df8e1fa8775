/**
 * The files and pictures of {@code probelet simulate}. It reads NodeHealthChecks, templates and a
 * scenario, and prints the timeline as a table, as JSON and as a drawing. The planner in
 * node-health, which also runs in clusters, makes the decisions.
 */
@NullMarked
package io.probelet.rehearsal.simulate;

import org.jspecify.annotations.NullMarked;
