package io.probelet.remediator.order;

import java.time.Duration;

/** What a remediation does next about the order that it wants a node to carry out. */
public sealed interface OrderStep {
  /** Creates it. */
  record Create(NodeOrder order) implements OrderStep {}

  /** Writes into its own status that the order is there; until then it grants nothing. */
  record Place() implements OrderStep {}

  /**
   * Waits for the order to change.
   *
   * @param atMost after so long it decides again, above zero
   */
  record Await(Duration atMost, String message) implements OrderStep {}

  /** Lets the node begin, if the order is still as it was read. */
  record Grant(NodeOrder order) implements OrderStep {}

  /** Deletes an order that is in the way, if it is still as it was read, and decides again. */
  record Clear(NodeOrder order, String why) implements OrderStep {}

  /** The node has done it. The order stays until the remediation's status says so. */
  record Done(OrderStatus status) implements OrderStep {}

  /** The node has not done it, and will not. */
  record Failed(String why) implements OrderStep {}

  /**
   * Time is up: the order is deleted if it is still as it was read, and then it has failed. If it
   * is not as it was read, all is decided again.
   */
  record Withdraw(NodeOrder order, String why) implements OrderStep {}
}
