/**
 * The other end of the agent's HTTP: asks a running agent for its containers and prints them as
 * kubectl would. It holds no state of its own and knows the agent only by its API.
 */
@NullMarked
package io.probelet.cli.status;

import org.jspecify.annotations.NullMarked;
