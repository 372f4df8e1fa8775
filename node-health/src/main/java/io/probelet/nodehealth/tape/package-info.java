/**
 * Tapes: the changes of a cluster's nodes, NodeHealthChecks and remediations, one line of JSON per
 * change. A tape is read line by line and never held in memory as a whole. Its content is
 * untrusted, so all of it has limits.
 */
@NullMarked
package io.probelet.nodehealth.tape;

import org.jspecify.annotations.NullMarked;
