/**
 * Watches objects of the API server: lists them in pages, then follows changes. Objects are parsed
 * directly from the stream, because most events of a large cluster are node heartbeats that change
 * no relevant field. Such events are not passed on.
 */
@NullMarked
package io.probelet.kube.watch;

import org.jspecify.annotations.NullMarked;
