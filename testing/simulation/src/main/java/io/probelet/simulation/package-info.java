/** A cluster in one thread, under faults that a seed decides, and the tool that runs many seeds. */
@NullMarked
package io.probelet.simulation;

import org.jspecify.annotations.NullMarked;
