package io.probelet.remediator.order;

import io.probelet.remediator.resource.BootId;
import io.probelet.remediator.resource.KeptEvidence;
import org.jspecify.annotations.Nullable;

/**
 * What the node says of an order.
 *
 * @param bootId the boot of the node when it said so; empty before it has said anything, and if the
 *     text cannot be the id of a boot
 * @param message one line; may be empty
 * @param evidence what it has collected; null if nothing
 */
public record OrderStatus(
    OrderPhase phase, String bootId, String message, @Nullable KeptEvidence evidence) {
  /** The node has said nothing. */
  public static final OrderStatus NONE = new OrderStatus(OrderPhase.NONE, "", "", null);

  /** ACT-44: whoever has an agent's token writes this. */
  public OrderStatus {
    bootId = BootId.orEmpty(bootId);
    message = OrderSpec.line(message);
  }

  /**
   * Without evidence.
   *
   * @param message one sentence
   */
  public OrderStatus(OrderPhase phase, String bootId, String message) {
    this(phase, bootId, message, null);
  }
}
