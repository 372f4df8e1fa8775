/**
 * What the monitor finds, as the API server has it: conditions on the Node, and a note there which
 * of them are ours. Only those are ever written or removed; the rest of the Node belongs to others.
 */
@NullMarked
package io.probelet.monitor.publish;

import org.jspecify.annotations.NullMarked;
