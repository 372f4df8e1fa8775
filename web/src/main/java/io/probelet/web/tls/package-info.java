/** Servers over TLS whose certificate is renewed while they run. */
@NullMarked
package io.probelet.web.tls;

import org.jspecify.annotations.NullMarked;
