/**
 * The port to containerd, CRI-O and whatever else speaks the container runtime interface: pods are
 * found by listing them, commands are run and containers stopped by calls over the runtime's unix
 * socket. While the runtime is away, what was last seen stays true and nothing is made up: calls
 * fail, and everything is listed anew when it is back.
 */
@NullMarked
package io.probelet.runtime.cri;

import org.jspecify.annotations.NullMarked;
