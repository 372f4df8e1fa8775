/**
 * An HTTP/2 client over an existing channel. Netty's codec handles frames, streams and windows.
 * Header blocks are decoded here, because a hostile target may send megabytes of them. All types
 * are used on the channel's event loop and need no lock.
 */
@NullMarked
package io.probelet.probe.h2;

import org.jspecify.annotations.NullMarked;
