/**
 * The restrictions of containers on this machine: what the manifest requests, what this process can
 * enforce, and how. A pure decision returns either the words for setpriv(1) and the limits for a
 * control group, or why enforcement is impossible. No restriction is ignored silently.
 */
@NullMarked
package io.probelet.runtime.confine;

import org.jspecify.annotations.NullMarked;
