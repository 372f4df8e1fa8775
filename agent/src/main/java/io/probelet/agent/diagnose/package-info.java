/**
 * Evidence about a node as an agent, or {@code probelet diagnose}, collects it: to what the node
 * itself is asked for come the conditions, the probes' outcomes and the runtime's containers.
 */
@NullMarked
package io.probelet.agent.diagnose;

import org.jspecify.annotations.NullMarked;
