/**
 * Delegated authentication and authorization: who asks a server of ours, and whether they may, is
 * for the API server to say, by a TokenReview and a SubjectAccessReview. Its answers are cached,
 * and how often it is asked is bounded, so that wrong tokens do not become requests to it.
 */
@NullMarked
package io.probelet.kube.delegated;

import org.jspecify.annotations.NullMarked;
