/**
 * The HTTP server: health, metrics, the containers as JSON and as a page, and the webhook over TLS.
 * An event loop only parses and moves bytes while a virtual thread makes the answer. Sizes, times
 * and numbers are bounded.
 */
@NullMarked
package io.probelet.web.http;

import org.jspecify.annotations.NullMarked;
