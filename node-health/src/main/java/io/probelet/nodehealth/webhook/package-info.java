/**
 * The validating webhook for NodeHealthChecks. Its rules are those of {@code probelet validate}. It
 * never writes to the API server.
 */
@NullMarked
package io.probelet.nodehealth.webhook;

import org.jspecify.annotations.NullMarked;
