/**
 * Requests to the API server, each sent once. The result is a value with three cases: done,
 * refused, or unknown; callers must handle all three. Retries belong to callers, who know whether
 * the request is still valid.
 */
@NullMarked
package io.probelet.kube;

import org.jspecify.annotations.NullMarked;
