/**
 * Requests to the API server, each sent once. What comes of one is a value with three cases: it was
 * done, it was refused, or nobody knows; whoever writes has to have an answer to all three. Retries
 * belong to those who know whether the request still makes sense.
 */
@NullMarked
package io.probelet.kube;

import org.jspecify.annotations.NullMarked;
