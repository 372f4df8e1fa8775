/**
 * Follows objects of the API server: lists them in pages, then keeps up with each change. Bytes are
 * read as they come and straight into what is kept of an object, as most of a large cluster's
 * events are heartbeats of nodes that change nothing anyone reads. Such are not passed on.
 */
@NullMarked
package io.probelet.kube.watch;

import org.jspecify.annotations.NullMarked;
