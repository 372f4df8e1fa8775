/**
 * A node of the simulated world: containers whose truth a script knows, the probers, the container
 * runtime and the kubelet that see them, the kernel's log and the node's files.
 */
@NullMarked
package io.probelet.simulation.node;

import org.jspecify.annotations.NullMarked;
