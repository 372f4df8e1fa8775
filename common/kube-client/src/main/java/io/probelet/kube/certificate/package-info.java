/**
 * Certificates of our servers: an authority that issues them, and files that are reread when they
 * change. An administrator provides the files. Nothing here writes to the API server, so a webhook
 * server needs no permission on the API server's trust configuration.
 */
@NullMarked
package io.probelet.kube.certificate;

import org.jspecify.annotations.NullMarked;
