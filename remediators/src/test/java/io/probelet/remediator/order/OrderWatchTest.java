package io.probelet.remediator.order;

import static io.probelet.remediator.order.OrderPhase.CLAIMED;
import static io.probelet.remediator.order.OrderPhase.DONE;
import static io.probelet.remediator.order.OrderPhase.FAILED;
import static io.probelet.remediator.order.OrderPhase.NONE;
import static io.probelet.remediator.order.OrderPhase.STARTED;
import static io.probelet.remediator.order.Orders.DIAGNOSE;
import static io.probelet.remediator.order.Orders.RESTART;
import static io.probelet.remediator.order.Orders.draft;
import static io.probelet.remediator.order.Orders.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.remediator.order.OrderStep.Await;
import io.probelet.remediator.order.OrderStep.Clear;
import io.probelet.remediator.order.OrderStep.Create;
import io.probelet.remediator.order.OrderStep.Done;
import io.probelet.remediator.order.OrderStep.Failed;
import io.probelet.remediator.order.OrderStep.Grant;
import io.probelet.remediator.order.OrderStep.Place;
import io.probelet.remediator.order.OrderStep.Withdraw;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class OrderWatchTest {
  private static final Duration NOW = Duration.ZERO;

  private final OrderWatch watch = watching(draft(RESTART), Duration.ofMinutes(1));

  /** An order that may take the time that it says itself. */
  private static OrderWatch watching(NodeOrder wanted, Duration answerWithin) {
    return new OrderWatch(wanted, answerWithin, wanted.spec().timeout());
  }

  private OrderStep placed(NodeOrder order, int seconds) {
    return watch.next(Optional.of(order), true, Duration.ofSeconds(seconds));
  }

  private static NodeOrder of(NodeOrder order, String uid) {
    OrderSpec spec = order.spec();
    OrderOwner owner = new OrderOwner("RebootRemediation", "x", "worker-1", uid);
    return new NodeOrder(
        order.namespace(),
        order.node(),
        order.uid(),
        order.version(),
        false,
        new OrderSpec(
            spec.action(), spec.bootId(), spec.timeout(), spec.reason(), owner, spec.granted()),
        order.status());
  }

  @Test
  @DisplayName("ACT-37: created, written down, then granted")
  void course() {
    assertThat(watch.next(Optional.empty(), false, NOW)).isEqualTo(new Create(draft(RESTART)));
    assertThat(watch.next(Optional.of(seen(RESTART, false, CLAIMED)), false, NOW))
        .isEqualTo(new Place());
    assertThat(placed(seen(RESTART, false, NONE), 20))
        .isEqualTo(new Await(Duration.ofSeconds(40), "waiting for the agent to claim the order"));
    assertThat(placed(seen(RESTART, false, CLAIMED), 20)).isInstanceOf(Grant.class);
    assertThat(placed(seen(RESTART, true, CLAIMED), 20)).isInstanceOf(Await.class);
    assertThat(placed(seen(RESTART, true, STARTED), 70))
        .isEqualTo(new Await(Duration.ofSeconds(80), "the agent is carrying out the order"));
    assertThat(placed(seen(RESTART, true, DONE), 200)).isInstanceOf(Done.class);
    assertThat(placed(seen(RESTART, true, FAILED), 1)).isInstanceOf(Failed.class);
  }

  @Test
  @DisplayName("ACT-37: an order that has gone is not given again, but for one that does no harm")
  void gone() {
    assertThat(watch.next(Optional.empty(), true, NOW)).isInstanceOf(Failed.class);
    assertThat(watching(draft(DIAGNOSE), NOW).next(Optional.empty(), true, NOW))
        .isInstanceOf(Create.class);
    assertThat(placed(of(seen(DIAGNOSE, false, NONE), "other"), 1)).isInstanceOf(Failed.class);
  }

  @Test
  @DisplayName("ACT-32: grants a claim in time with the right boot ID")
  void grants() {
    assertThat(placed(seen(RESTART, false, CLAIMED), 60))
        .isInstanceOfSatisfying(
            Withdraw.class,
            late -> assertThat(late.why()).isEqualTo("the agent claimed the order too late"));
    assertThat(placed(seen(RESTART, false, CLAIMED, "b00t-2"), 1))
        .isInstanceOfSatisfying(
            Withdraw.class, other -> assertThat(other.why()).contains("the node rebooted after"));
  }

  @Test
  @DisplayName("ACT-38: fails if the agent reports nothing")
  void deadlines() {
    assertThat(placed(seen(RESTART, false, NONE), 60))
        .isInstanceOfSatisfying(
            Withdraw.class,
            none -> assertThat(none.why()).isEqualTo("no agent claimed the order in time"));
    assertThat(placed(seen(RESTART, true, CLAIMED), 149)).isInstanceOf(Await.class);
    assertThat(placed(seen(RESTART, true, CLAIMED), 150)).isInstanceOf(Withdraw.class);
    assertThat(placed(seen(RESTART, true, STARTED), 149)).isInstanceOf(Await.class);
    assertThat(placed(seen(RESTART, true, STARTED), 150)).isInstanceOf(Withdraw.class);
  }

  @Test
  @DisplayName("ACT-39: an order of another remediation is waited for, and not for ever")
  void foreign() {
    NodeOrder idle = of(seen(RESTART, false, NONE), "other");
    NodeOrder busy = of(seen(RESTART, true, STARTED), "other");
    NodeOrder over = of(seen(RESTART, true, DONE), "other");
    for (NodeOrder left : List.of(idle, over)) {
      assertThat(watch.next(Optional.of(left), false, NOW)).isInstanceOf(Clear.class);
    }
    assertThat(watch.next(Optional.of(busy), false, Duration.ofSeconds(89)))
        .isInstanceOf(Await.class);
    assertThat(watch.next(Optional.of(busy), false, Duration.ofSeconds(90)))
        .isInstanceOf(Failed.class);
  }

  @Test
  @DisplayName("ACT-39: the order for evidence makes way for the one that follows it")
  void evidenceBefore() {
    assertThat(watch.next(Optional.of(seen(DIAGNOSE, true, STARTED)), false, NOW))
        .isInstanceOf(Clear.class);
  }

  @Test
  @DisplayName("ACT-37: never grants an order that is being deleted")
  void deleted() {
    NodeOrder order = seen(RESTART, false, CLAIMED);
    NodeOrder deleting =
        new NodeOrder(
            order.namespace(),
            order.node(),
            order.uid(),
            order.version(),
            true,
            order.spec(),
            order.status());
    assertThat(placed(deleting, 1))
        .isEqualTo(new Await(OrderWatch.MARGIN, "the order is being deleted"));
  }
}
