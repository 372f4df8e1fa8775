/**
 * The order by which a node is to do something: what it says, how it is written in the API, and the
 * two pure halves of the handshake, the agent's and the controller's. An order is claimed, granted
 * and begun before anything is done, each by a write that fails if the order is not as it was read.
 */
@NullMarked
package io.probelet.remediator.order;

import org.jspecify.annotations.NullMarked;
