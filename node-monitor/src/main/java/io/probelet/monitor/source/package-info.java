/**
 * Where lines come from: the kernel, files that are rotated, the journal. A source blocks a thread
 * of its own, says when it has read up to the present and what it had to leave out, and can go on
 * later where it was. It knows no rules.
 */
@NullMarked
package io.probelet.monitor.source;

import org.jspecify.annotations.NullMarked;
