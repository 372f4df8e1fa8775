/**
 * The only way to start programs: each leads its own process group, is watched until it ends, and
 * is killed with all its children on timeout. Requested output is kept and the rest dropped, so
 * that a program never blocks on output.
 */
@NullMarked
package io.probelet.process;

import org.jspecify.annotations.NullMarked;
