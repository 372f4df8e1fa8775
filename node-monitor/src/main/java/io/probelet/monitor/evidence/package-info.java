/**
 * What is written down about a node before anything is done to it: parts that are read side by
 * side, each within its own time and size, become one archive with a manifest, a digest of what
 * matters, and a place in a small ring on the node. A part that could not be read is in the
 * manifest with the reason; no part says that there was nothing to find unless it could search.
 */
@NullMarked
package io.probelet.monitor.evidence;

import org.jspecify.annotations.NullMarked;
