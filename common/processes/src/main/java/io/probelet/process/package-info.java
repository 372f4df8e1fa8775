/**
 * The one way to start programs: each leads a process group of its own, is watched to its end, and
 * is killed with all its children at a timeout. Of its output is kept what was asked for, and the
 * rest is thrown away, so that it never waits for us.
 */
@NullMarked
package io.probelet.process;

import org.jspecify.annotations.NullMarked;
