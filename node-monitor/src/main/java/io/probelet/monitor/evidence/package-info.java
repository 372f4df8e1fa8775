/**
 * Collects evidence about a node before a remediation changes it. Parts are read in parallel, each
 * with its own limits of time and size. They become one archive with a manifest and a digest, kept
 * in a small ring on the node. The manifest gives the reason for each part that could not be read;
 * a part is empty only if it could be read.
 */
@NullMarked
package io.probelet.monitor.evidence;

import org.jspecify.annotations.NullMarked;
