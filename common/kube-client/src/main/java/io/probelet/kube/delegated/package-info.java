/**
 * Delegated authentication and authorization for our servers, by TokenReview and
 * SubjectAccessReview. Answers are cached and requests are rate limited, so that invalid tokens do
 * not flood the API server.
 */
@NullMarked
package io.probelet.kube.delegated;

import org.jspecify.annotations.NullMarked;
