/**
 * A rehearsal in the cluster's page: a NodeHealthCheck as it is and with changes, played against
 * nodes that go down now, the two timelines one above the other. Nothing is written anywhere, and
 * what one request may cost is bounded.
 */
@NullMarked
package io.probelet.fleet.ui.simulate;

import org.jspecify.annotations.NullMarked;
