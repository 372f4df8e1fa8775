/**
 * Questions to DNS servers and their answers, as far as checks and probes need them.
 *
 * <p>Our own, in two classes: Netty's codec leaves the content of most records in bytes, where
 * names point into the rest of the message, and its resolver brings a client that caches.
 */
@NullMarked
package io.probelet.health.dns;

import org.jspecify.annotations.NullMarked;
