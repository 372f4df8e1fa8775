/**
 * The validating webhook for NodeHealthChecks: what is answered, and the certificate that the API
 * server trusts. The rules are those of {@code probelet validate}. The certificate is our own, kept
 * in a Secret so that all agents serve the same one, and renewed by the leader.
 */
@NullMarked
package io.probelet.nodehealth.webhook;

import org.jspecify.annotations.NullMarked;
