/**
 * Exec probes: a command run in the container through the runtime's port. The call blocks, so it
 * runs on a virtual thread and comes back to the loop as an event.
 */
@NullMarked
package io.probelet.probe.exec;

import org.jspecify.annotations.NullMarked;
