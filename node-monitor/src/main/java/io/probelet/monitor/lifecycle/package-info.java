/**
 * What one agent does about the watched nodes of a whole cluster while it leads. That an agent is
 * gone only others can say, and how many nodes are tainted only one may decide; what is decided
 * here is decided without I/O.
 */
@NullMarked
package io.probelet.monitor.lifecycle;

import org.jspecify.annotations.NullMarked;
