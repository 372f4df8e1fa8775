/**
 * The validating webhook for NodeHealthChecks: what is answered, and the certificate that the API
 * server trusts. The rules are those of {@code probelet validate}. Certificates come from files
 * that the administrator provides; nothing here writes to the API server, so that who serves the
 * webhook needs no right on what the API server trusts.
 */
@NullMarked
package io.probelet.nodehealth.webhook;

import org.jspecify.annotations.NullMarked;
