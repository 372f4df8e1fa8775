/**
 * HTTP/2 from the client's side, over a channel that somebody else has connected. Netty's codec
 * keeps frames, streams and windows; header blocks are unpacked here, because a hostile target may
 * send megabytes of them. Every type lives on the channel's event loop and needs no lock.
 */
@NullMarked
package io.probelet.probe.h2;

import org.jspecify.annotations.NullMarked;
