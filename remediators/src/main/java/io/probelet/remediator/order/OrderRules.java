package io.probelet.remediator.order;

import io.probelet.remediator.order.AgentStep.Claim;
import io.probelet.remediator.order.AgentStep.Finish;
import io.probelet.remediator.order.AgentStep.Nothing;
import io.probelet.remediator.order.AgentStep.Start;
import io.probelet.remediator.order.OrderProgress.Acting;
import io.probelet.remediator.order.OrderProgress.Claimed;
import io.probelet.remediator.order.OrderProgress.Doubtful;
import io.probelet.remediator.order.OrderProgress.Ended;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides what an agent does about an order, from nothing but its arguments:
 *
 * <pre>
 *   agent        Claimed ────────────── Started, acts ─── Done or Failed
 *   controller            granted: true
 * </pre>
 *
 * <p>It acts once the API server has confirmed its Started, and at no other time. Whoever finds a
 * Started that is not his own knows that something may have been done, and does nothing.
 */
public final class OrderRules {
  /**
   * For so long a grant may follow the claim: one that is older than that may have been meant for
   * circumstances that have passed.
   */
  public static final Duration MAX_GRANT_WAIT = Duration.ofMinutes(5);

  private final String node;
  private final String bootId;

  /**
   * The rules of one agent.
   *
   * @param bootId of the boot that the node is in; empty if nobody knows
   */
  public OrderRules(String node, String bootId) {
    this.node = node;
    this.bootId = bootId;
  }

  /**
   * Decides.
   *
   * @param order as it was read last
   * @return what it does next
   */
  public AgentStep next(NodeOrder order, OrderPermissions permissions, OrderProgress progress) {
    if (!order.node().equals(node)) {
      return new Nothing(
          "the order is for another node"); // ACT-30: an agent acts on its own node only
    }
    if (order.status().phase().isTerminal()) {
      return new Nothing("the order has ended");
    }
    return switch (progress) {
      case Acting(String uid) ->
          new Nothing(
              uid.equals(order.uid())
                  ? "the order is in progress"
                  : "an earlier order is still in progress"); // ACT-36: one at a time
      case Ended(String uid, OrderStatus result) when uid.equals(order.uid()) ->
          new Finish(result); // ACT-36: said until it is heard
      case OrderProgress _ when order.deleting() -> new Nothing("the order is being deleted");
      case OrderProgress _ when order.status().phase() == OrderPhase.STARTED ->
          foundStarted(order, progress);
      case OrderProgress _ -> notStarted(order, permissions, progress);
    };
  }

  private AgentStep foundStarted(NodeOrder order, OrderProgress progress) {
    OrderStatus status = order.status();
    if (progress instanceof Doubtful(String uid, Duration _) && uid.equals(order.uid())) {
      // ACT-33: whoever was not confirmed in time does not act on what was in force then
      return failed("the API server did not confirm the start in time; nothing was done");
    }
    if (bootId.isEmpty() || status.bootId().isEmpty() || status.bootId().equals(bootId)) {
      // ACT-35: how far it came is known to nobody, and twice is worse than not at all
      return failed("the agent restarted while carrying out the order; its progress is unknown");
    }
    // ACT-34: another boot, which is all that a reboot is for
    return order.spec().action() instanceof OrderAction.Reboot
        ? new Finish(
            new OrderStatus(OrderPhase.DONE, bootId, "the node has rebooted, boot ID " + bootId))
        : failed("the node rebooted while the agent carried out the order");
  }

  private AgentStep notStarted(
      NodeOrder order, OrderPermissions permissions, OrderProgress progress) {
    if (bootId.isEmpty()) {
      return failed("the node's boot ID is unknown; nothing was done");
    }
    if (!order.spec().bootId().equals(bootId)) { // ACT-34: what was wrong then may be right now
      return failed(
          "the order is for boot %s, but the node is in boot %s; nothing was done"
              .formatted(order.spec().bootId(), bootId));
    }
    Optional<String> objection = permissions.objection(order.spec().action());
    if (objection.isPresent()) { // ACT-31: the node's administrator has the last word
      return failed(objection.get() + "; nothing was done");
    }
    Optional<Duration> claimed = claimed(order, progress);
    if (!order.spec().granted()) {
      return claimed.isPresent() && order.status().phase() == OrderPhase.CLAIMED
          ? new Nothing("waiting for the grant")
          : new Claim(new OrderStatus(OrderPhase.CLAIMED, bootId, "")); // ACT-31: willing and able
    }
    // ACT-33: a grant answers a claim of this very process, and not an old one
    if (claimed.isEmpty() || order.status().phase() != OrderPhase.CLAIMED) {
      return failed("the agent restarted before it could start the order; nothing was done");
    }
    if (claimed.get().compareTo(MAX_GRANT_WAIT) > 0) {
      return failed(
          "the grant arrived %d s after the claim, later than %d s; nothing was done"
              .formatted(claimed.get().toSeconds(), MAX_GRANT_WAIT.toSeconds()));
    }
    return new Start(new OrderStatus(OrderPhase.STARTED, bootId, ""));
  }

  /** How long ago this agent has claimed the order; empty if it has not. */
  private static Optional<Duration> claimed(NodeOrder order, OrderProgress progress) {
    return switch (progress) {
      case Claimed(String uid, Duration ago) when uid.equals(order.uid()) -> Optional.of(ago);
      case Doubtful(String uid, Duration ago) when uid.equals(order.uid()) -> Optional.of(ago);
      case OrderProgress _ -> Optional.empty();
    };
  }

  private Finish failed(String why) {
    return new Finish(new OrderStatus(OrderPhase.FAILED, bootId, why));
  }
}
