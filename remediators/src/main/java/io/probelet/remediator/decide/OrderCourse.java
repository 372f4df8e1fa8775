package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.remediator.decide.Action.GrantOrder;
import io.probelet.remediator.decide.Action.PutOrder;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderOwner;
import io.probelet.remediator.order.OrderSpec;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.order.OrderStep;
import io.probelet.remediator.order.OrderWatch;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The progress of the order to a node's agent, for kinds whose work the agent does. */
public sealed interface OrderCourse {
  /**
   * The order is in progress.
   *
   * @param step what comes next, in phase {@link RemediationPhase#ORDERED}
   */
  record GoingOn(Step step) implements OrderCourse {}

  /**
   * The agent has carried out the order, which still exists.
   *
   * @param order to withdraw once the status has the next phase
   */
  record Carried(String message, WithdrawOrder order) implements OrderCourse {}

  /** The order failed for good. */
  record Refused(String message) implements OrderCourse {}

  /** Orders are watched; this is the fallback interval. */
  Duration SOON = Duration.ofSeconds(5);

  /**
   * {@return when to see next whether a Node says what is awaited, of which nobody is notified}
   *
   * @param left how long it may take still
   */
  static Duration again(Duration left) {
    return left.compareTo(SOON) < 0 ? left : SOON;
  }

  /**
   * Decides what an order takes next (ACT-40).
   *
   * @param situation all that is known
   * @param answerWithin how long its agent may take to answer
   * @param doneWithin how long it may take after that; an order says an hour at most
   */
  static OrderCourse of(
      Situation<?, ?> situation, OrderAction action, Duration answerWithin, Duration doneWithin) {
    RemediationRequest<?> remediation = situation.remediation();
    RemediationProgress status = situation.status();
    if (status.bootId().isEmpty()) { // ACT-34: an order without a fence could be carried out twice
      return new Refused("the Node has no status.nodeInfo.bootID, which every order needs");
    }
    OrderOwner owner =
        new OrderOwner(
            remediation.kind().kind(),
            Objects.requireNonNullElse(remediation.ref().namespace(), ""),
            remediation.ref().name(),
            remediation.uid());
    OrderSpec spec =
        new OrderSpec(action, status.bootId(), doneWithin, "ordered by " + owner, owner, false);
    NodeOrder wanted = NodeOrder.draft("", remediation.node(), spec);
    boolean ordered = status.phase() == RemediationPhase.ORDERED;
    boolean placed = ordered && status.milestone().reached() == Milestone.Reached.ORDER_PLACED;
    Optional<NodeOrder> seen =
        Optional.of(situation.order()).filter(JsonNode::isObject).map(NodeOrderJson::read);
    OrderWatch watch = new OrderWatch(wanted, answerWithin, doneWithin);
    Duration waited = ordered ? situation.inPhase() : Duration.ZERO;
    return of(situation, placed, watch.next(seen, placed, waited));
  }

  private static OrderCourse of(Situation<?, ?> situation, boolean placed, OrderStep next) {
    String node = situation.remediation().node();
    return switch (next) {
      case OrderStep.Create(NodeOrder order) ->
          going(
              in(situation, false, "creating the order for the node").then(put(order)).again(SOON));
      case OrderStep.Place() -> going(placed(situation).again(SOON));
      case OrderStep.Await(Duration atMost, String message) ->
          going(in(situation, placed, (placed ? "ordered; " : "") + message).again(atMost));
      case OrderStep.Grant(NodeOrder order) ->
          going(
              in(situation, true, "ordered; the agent may start")
                  .then(new GrantOrder(node, order.uid(), order.version()))
                  .again(SOON));
      case OrderStep.Clear(NodeOrder order, String why) ->
          going(in(situation, false, why).then(new WithdrawOrder(node, order.uid())).again(SOON));
      case OrderStep.Done(OrderStatus status) ->
          new Carried(
              status.message(),
              new WithdrawOrder(node, situation.order().at("/metadata/uid").asText()));
      case OrderStep.Failed(String why) -> new Refused(why);
      case OrderStep.Withdraw(NodeOrder _, String why) -> new Refused(why); // and then it goes
    };
  }

  private static OrderCourse going(Step step) {
    return new GoingOn(step);
  }

  /** An order that was placed is never created again (ACT-37): a missing one was deleted. */
  private static Step in(Situation<?, ?> situation, boolean placed, String message) {
    return Step.of(
        situation
            .status()
            .in(RemediationPhase.ORDERED, message, situation.now())
            .with(placed ? Milestone.of(Milestone.Reached.ORDER_PLACED) : Milestone.NONE));
  }

  /** Restarts the time limit for the claim, because another order may have existed until now. */
  private static Step placed(Situation<?, ?> situation) {
    Step placed = in(situation, true, "ordered; waiting for the agent to claim the order");
    return Step.of(placed.status().since(situation.now()));
  }

  /** The remediation is added by whoever creates it. */
  private static PutOrder put(NodeOrder order) {
    ObjectNode spec = (ObjectNode) NodeOrderJson.write(order).get("spec");
    spec.remove("remediation");
    return new PutOrder(order.node(), spec);
  }
}
