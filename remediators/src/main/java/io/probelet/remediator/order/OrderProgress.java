package io.probelet.remediator.order;

import java.time.Duration;

/** What a running agent itself has done about orders; all is forgotten when it ends. */
public sealed interface OrderProgress {
  /** Nothing that still matters. */
  record Idle() implements OrderProgress {}

  /** It has claimed an order, and the API server has confirmed it. */
  record Claimed(String uid, Duration ago) implements OrderProgress {}

  /** It has sent that it begins, and there was no answer; it has not begun. */
  record Doubtful(String uid, Duration ago) implements OrderProgress {}

  /** It carries out an order. */
  record Acting(String uid) implements OrderProgress {}

  /** It has carried out an order, or failed to. */
  record Ended(String uid, OrderStatus result) implements OrderProgress {}
}
