/**
 * The validating webhook for NodeHealthChecks: what is answered. The rules are those of {@code
 * probelet validate}. Nothing here writes to the API server.
 */
@NullMarked
package io.probelet.nodehealth.webhook;

import org.jspecify.annotations.NullMarked;
