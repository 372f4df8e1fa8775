package io.probelet.remediator.order;

import io.probelet.remediator.order.OrderStep.Await;
import io.probelet.remediator.order.OrderStep.Clear;
import io.probelet.remediator.order.OrderStep.Create;
import io.probelet.remediator.order.OrderStep.Done;
import io.probelet.remediator.order.OrderStep.Failed;
import io.probelet.remediator.order.OrderStep.Grant;
import io.probelet.remediator.order.OrderStep.Place;
import io.probelet.remediator.order.OrderStep.Withdraw;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides what a remediation does about the order that it wants a node to carry out, from nothing
 * but its arguments. The remediation's status has two phases for it: one in which the order may be
 * created and is never granted, and one in which it may be granted and is never created again.
 *
 * @param wanted the order, not granted
 * @param answerWithin how long the node may take to claim it
 * @param doneWithin how long it may take after that until it says what came of it
 */
public record OrderWatch(NodeOrder wanted, Duration answerWithin, Duration doneWithin) {
  /** What messages may take on their way, besides the time that the order itself takes. */
  static final Duration MARGIN = Duration.ofSeconds(30);

  /**
   * Decides.
   *
   * @param seen the node's order as it was read last; empty if there is none
   * @param placed whether the remediation's status says already that the order is there
   * @param waited for how long it has said so, or else for how long it has been about to
   * @return what to do next
   */
  public OrderStep next(Optional<NodeOrder> seen, boolean placed, Duration waited) {
    if (seen.isEmpty()) {
      // ACT-37: an order that was granted once is not created anew, but for one that does no harm
      return placed && !isHarmless()
          ? new Failed("another client deleted the order; it may have been carried out")
          : new Create(wanted);
    }
    NodeOrder order = seen.get();
    if (!isOurs(order)) {
      return foreign(order, placed, waited);
    }
    if (order.deleting()) {
      return new Await(MARGIN, "the order is being deleted");
    }
    return placed || order.status().phase().isTerminal()
        ? ours(order, waited)
        : new Place(); // ACT-37: said before it is granted
  }

  /** {@return how long it takes at most from the moment at which the status says it is there} */
  public Duration longest() {
    return answerWithin.plus(doneWithin).plus(MARGIN);
  }

  private OrderStep ours(NodeOrder order, Duration waited) {
    OrderStatus status = order.status();
    Duration left = answerWithin.minus(waited);
    return switch (status.phase()) {
      case DONE -> new Done(status);
      case FAILED -> new Failed(status.message());
      case NONE ->
          isLeft(left)
              ? new Await(left, "waiting for the agent to claim the order")
              : new Withdraw(order, "no agent claimed the order in time");
      case CLAIMED -> claimed(order, left, waited);
      case STARTED ->
          reported(waited, "the agent is carrying out the order")
              .orElseGet(() ->
                  new Withdraw(order, "the agent started the order but never reported a result"));
    };
  }

  private OrderStep claimed(NodeOrder order, Duration left, Duration waited) {
    if (order.spec().granted()) {
      return reported(waited, "waiting for the agent to start")
          .orElseGet(() -> new Withdraw(order, "the agent did not start in time"));
    }
    if (!order.status().bootId().equals(wanted.spec().bootId())) {
      // ACT-32: the node that answers is not any more the one that the order is for
      return new Withdraw(order, "the node rebooted after the order was created");
    }
    return isLeft(left)
        ? new Grant(order)
        : new Withdraw(order, "the agent claimed the order too late"); // ACT-32: in time, or never
  }

  /** ACT-38: the time to answer, the order's own, and what messages take. */
  private Optional<OrderStep> reported(Duration waited, String message) {
    Duration left = longest().minus(waited);
    return isLeft(left) ? Optional.of(new Await(left, message)) : Optional.empty();
  }

  /** ACT-39: one remediation at a time has a node, so that this is what another has left. */
  private OrderStep foreign(NodeOrder order, boolean placed, Duration waited) {
    if (placed && !isHarmless()) {
      return new Failed("the order was replaced by one of " + order.spec().owner());
    }
    if (isOfThisRemediation(order) && order.spec().action() instanceof OrderAction.Diagnose) {
      return new Clear(order, "evidence collection has ended");
    }
    if (order.status().phase().isTerminal() || !order.spec().granted()) {
      return new Clear(order, "deleting the abandoned order of " + order.spec().owner());
    }
    Duration over = order.spec().timeout().plus(MARGIN).minus(waited);
    return isLeft(over)
        ? new Await(over, "the agent is carrying out an order of " + order.spec().owner())
        : new Failed("the node still has an order of " + order.spec().owner());
  }

  private boolean isHarmless() {
    return wanted.spec().action() instanceof OrderAction.Diagnose;
  }

  private boolean isOurs(NodeOrder order) {
    return isOfThisRemediation(order) && order.spec().action().equals(wanted.spec().action());
  }

  private boolean isOfThisRemediation(NodeOrder order) {
    return order.spec().owner().uid().equals(wanted.spec().owner().uid());
  }

  private static boolean isLeft(Duration left) {
    return left.compareTo(Duration.ZERO) > 0;
  }
}
