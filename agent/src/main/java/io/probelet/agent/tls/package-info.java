/** Servers over TLS whose certificate is renewed while they run. */
@NullMarked
package io.probelet.agent.tls;

import org.jspecify.annotations.NullMarked;
