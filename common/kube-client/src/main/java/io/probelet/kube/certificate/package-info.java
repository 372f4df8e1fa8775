/**
 * Certificates that servers of ours show: an authority that issues them, and files from which they
 * are read again when they change. Files come from an administrator; nothing here writes to the API
 * server, so that who serves a webhook needs no right on what the API server trusts.
 */
@NullMarked
package io.probelet.kube.certificate;

import org.jspecify.annotations.NullMarked;
