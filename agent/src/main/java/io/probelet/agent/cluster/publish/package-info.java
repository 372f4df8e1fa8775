/**
 * What an agent writes to the API server of its own accord. Everything waits in bounded books for
 * one writer that waits as long as the server asks, so that nothing that is probed ever waits for
 * it; what could not be said while the server was away is said once when it is back, and said once
 * only.
 */
@NullMarked
package io.probelet.agent.cluster.publish;

import org.jspecify.annotations.NullMarked;
