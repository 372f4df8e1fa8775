/**
 * NodeHealthChecks in files. Their rules live with the resource, in node-health; here is only told
 * at which line of which file a rule is broken. What reads the resource in a cluster and what reads
 * it in a file are therefore the same.
 */
@NullMarked
package io.probelet.manifest.remediation;

import org.jspecify.annotations.NullMarked;
