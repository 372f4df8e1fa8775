/**
 * Publishes the monitor's findings as conditions on the Node, with an annotation that lists which
 * of them are ours. Only those are written or removed; the rest of the Node belongs to others.
 */
@NullMarked
package io.probelet.monitor.publish;

import org.jspecify.annotations.NullMarked;
