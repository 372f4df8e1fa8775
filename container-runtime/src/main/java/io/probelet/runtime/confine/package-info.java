/**
 * What a container may do on this machine: what its manifest asks for, what of it this process is
 * able to enforce, and how. A pure decision says either how, in words for setpriv(1) and limits for
 * a control group, or why not; a restriction is never left out silently.
 */
@NullMarked
package io.probelet.runtime.confine;

import org.jspecify.annotations.NullMarked;
