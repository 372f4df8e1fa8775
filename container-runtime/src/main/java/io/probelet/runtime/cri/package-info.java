/**
 * The adapter for containerd, CRI-O and other runtimes that speak the container runtime interface.
 * It finds pods by listing them, and runs commands and stops containers through the runtime's unix
 * socket. While the runtime is unavailable, the last observed state stays: calls fail, and
 * everything is listed again after the reconnect.
 */
@NullMarked
package io.probelet.runtime.cri;

import org.jspecify.annotations.NullMarked;
