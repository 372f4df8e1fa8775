package io.probelet.remediator.order;

import static io.probelet.remediator.order.OrderPhase.CLAIMED;
import static io.probelet.remediator.order.OrderPhase.DONE;
import static io.probelet.remediator.order.OrderPhase.FAILED;
import static io.probelet.remediator.order.OrderPhase.NONE;
import static io.probelet.remediator.order.OrderPhase.STARTED;
import static io.probelet.remediator.order.Orders.BOOT;
import static io.probelet.remediator.order.Orders.DIAGNOSE;
import static io.probelet.remediator.order.Orders.REBOOT;
import static io.probelet.remediator.order.Orders.RESTART;
import static io.probelet.remediator.order.Orders.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.remediator.order.AgentStep.Claim;
import io.probelet.remediator.order.AgentStep.Finish;
import io.probelet.remediator.order.AgentStep.Nothing;
import io.probelet.remediator.order.AgentStep.Start;
import io.probelet.remediator.order.OrderProgress.Acting;
import io.probelet.remediator.order.OrderProgress.Claimed;
import io.probelet.remediator.order.OrderProgress.Doubtful;
import io.probelet.remediator.order.OrderProgress.Ended;
import io.probelet.remediator.order.OrderProgress.Idle;
import io.probelet.remediator.resource.RebootMode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class OrderRulesTest {
  private static final OrderPermissions ALL =
      new OrderPermissions(Set.of("kubelet.service"), true, false, false);
  private static final OrderProgress IDLE = new Idle();
  private static final OrderProgress MINE = new Claimed("uid-1", Duration.ofSeconds(3));

  private final OrderRules rules = new OrderRules("worker-1", BOOT);

  private AgentStep next(NodeOrder order, OrderProgress progress) {
    return rules.next(order, ALL, progress);
  }

  private static OrderStatus failure(AgentStep step) {
    assertThat(step).isInstanceOf(Finish.class);
    OrderStatus status = ((Finish) step).status();
    assertThat(status.phase()).isEqualTo(FAILED);
    return status;
  }

  @Test
  @DisplayName("ACT-30: an agent acts on its own node only")
  void anotherNode() {
    assertThat(new OrderRules("worker-2", BOOT).next(seen(RESTART, true, NONE), ALL, IDLE))
        .isInstanceOf(Nothing.class);
  }

  @Test
  @DisplayName("ACT-31: claimed, granted, begun, in this order")
  void handshake() {
    assertThat(next(seen(RESTART, false, NONE), IDLE))
        .isEqualTo(new Claim(new OrderStatus(CLAIMED, BOOT, "")));
    assertThat(next(seen(RESTART, false, CLAIMED), MINE)).isInstanceOf(Nothing.class);
    assertThat(next(seen(RESTART, true, CLAIMED), MINE))
        .isEqualTo(new Start(new OrderStatus(STARTED, BOOT, "")));
    assertThat(next(seen(RESTART, true, STARTED), new Acting("uid-1"))).isInstanceOf(Nothing.class);
    OrderStatus result = new OrderStatus(DONE, BOOT, "kubelet.service is active");
    assertThat(next(seen(RESTART, true, STARTED), new Ended("uid-1", result)))
        .isEqualTo(new Finish(result));
    assertThat(next(seen(RESTART, true, DONE), new Ended("uid-1", result)))
        .isInstanceOf(Nothing.class);
  }

  @Test
  @DisplayName("ACT-31: what the node's administrator does not permit fails before it is claimed")
  void notPermitted() {
    OrderAction other = new OrderAction.RestartServices(List.of("sshd.service"));
    assertThat(failure(next(seen(other, false, NONE), IDLE)).message())
        .isEqualTo(
            "sshd.service is not in orders.units of the agent's configuration; nothing was done");
    OrderAction kexec = new OrderAction.Reboot(RebootMode.KEXEC);
    assertThat(failure(next(seen(kexec, true, CLAIMED), MINE)).message())
        .isEqualTo("orders.kexec is not enabled in the agent's configuration; nothing was done");
    OrderPermissions none = new OrderPermissions(Set.of(), false, true, true);
    OrderAction sysRq = new OrderAction.Reboot(RebootMode.SYS_RQ);
    assertThat(failure(rules.next(seen(sysRq, false, NONE), none, IDLE)).message())
        .startsWith("orders.reboot is not enabled");
    assertThat(rules.next(seen(DIAGNOSE, false, NONE), none, IDLE)).isInstanceOf(Claim.class);
  }

  @Test
  @DisplayName("ACT-33: a grant answers a claim of the same process, soon")
  void grants() {
    assertThat(failure(next(seen(RESTART, true, CLAIMED), IDLE)).message())
        .isEqualTo("the agent restarted before it could start the order; nothing was done");
    assertThat(failure(next(seen(RESTART, true, NONE), IDLE)).message()).contains("restarted");
    assertThat(failure(next(seen(RESTART, true, CLAIMED), new Claimed("uid-0", Duration.ZERO))))
        .isNotNull();
    assertThat(
            failure(
                    next(
                        seen(RESTART, true, CLAIMED),
                        new Claimed("uid-1", Duration.ofSeconds(301))))
                .message())
        .isEqualTo("the grant arrived 301 s after the claim, later than 300 s; nothing was done");
    // Not granted yet: the claim of an agent before is made anew, by this one.
    assertThat(next(seen(RESTART, false, CLAIMED), IDLE)).isInstanceOf(Claim.class);
  }

  @Test
  @DisplayName("ACT-33: without confirmation the agent asks again before it starts")
  void doubtful() {
    OrderProgress doubtful = new Doubtful("uid-1", Duration.ofSeconds(4));
    assertThat(next(seen(RESTART, true, CLAIMED), doubtful)).isInstanceOf(Start.class);
    assertThat(failure(next(seen(RESTART, true, STARTED), doubtful)).message())
        .isEqualTo("the API server did not confirm the start in time; nothing was done");
  }

  @Test
  @DisplayName("ACT-34: an order is for one boot")
  void fence() {
    OrderRules rebooted = new OrderRules("worker-1", "b00t-2");
    for (OrderPhase phase : List.of(NONE, CLAIMED)) {
      for (boolean granted : List.of(false, true)) {
        assertThat(failure(rebooted.next(seen(REBOOT, granted, phase), ALL, MINE)).message())
            .isEqualTo(
                "the order is for boot b00t-1, but the node is in boot b00t-2; nothing was done");
      }
    }
    assertThat(rebooted.next(seen(REBOOT, true, STARTED), ALL, IDLE))
        .isEqualTo(
            new Finish(new OrderStatus(DONE, "b00t-2", "the node has rebooted, boot ID b00t-2")));
    assertThat(failure(rebooted.next(seen(RESTART, true, STARTED), ALL, IDLE)).message())
        .isEqualTo("the node rebooted while the agent carried out the order");
    assertThat(failure(rebooted.next(seen(REBOOT, true, STARTED, ""), ALL, IDLE)).message())
        .contains("is unknown");
  }

  @Test
  @DisplayName("ACT-34: does nothing without a known boot ID")
  void noBootId() {
    OrderRules lost = new OrderRules("worker-1", "");
    assertThat(failure(lost.next(seen(REBOOT, false, NONE), ALL, IDLE)).message())
        .contains("boot ID is unknown");
    assertThat(failure(lost.next(seen(REBOOT, true, STARTED), ALL, IDLE)).message())
        .contains("is unknown");
  }

  @Test
  @DisplayName("ACT-35: a begin that is not the agent's own is never taken up")
  void foundStarted() {
    for (OrderAction action : List.of(RESTART, REBOOT, DIAGNOSE)) {
      for (OrderProgress progress : List.of(IDLE, MINE, new Acting("uid-0"))) {
        AgentStep step = next(seen(action, true, STARTED), progress);
        if (progress instanceof Acting) {
          assertThat(step).isInstanceOf(Nothing.class);
        } else {
          assertThat(failure(step).message())
              .startsWith("the agent restarted while carrying out the order");
        }
      }
    }
  }

  @Test
  @DisplayName("ACT-36: one order at a time")
  void oneAtATime() {
    for (OrderPhase phase : OrderPhase.values()) {
      assertThat(next(seen(RESTART, true, phase), new Acting("uid-0"))).isInstanceOf(Nothing.class);
    }
    assertThat(
            next(
                seen(RESTART, false, NONE),
                new Ended("uid-0", new OrderStatus(DONE, BOOT, "before"))))
        .isInstanceOf(Claim.class);
  }

  @Test
  void whatIsWithdrawnIsNotBegun() {
    NodeOrder order = seen(RESTART, true, CLAIMED);
    NodeOrder deleting =
        new NodeOrder(
            order.namespace(),
            order.node(),
            order.uid(),
            order.version(),
            true,
            order.spec(),
            order.status());
    assertThat(next(deleting, MINE)).isInstanceOf(Nothing.class);
  }

  @Test
  void whatCannotBeReadFails() {
    OrderAction broken = new OrderAction.Unreadable("spec.units[0]: Invalid value");
    assertThat(failure(next(seen(broken, false, NONE), IDLE)).message())
        .isEqualTo("the order cannot be read: spec.units[0]: Invalid value; nothing was done");
  }

  @Test
  @DisplayName("ACT-33: a grant may follow the claim for five minutes, and no longer")
  void lastMoment() {
    assertThat(next(seen(RESTART, true, CLAIMED), new Claimed("uid-1", OrderRules.MAX_GRANT_WAIT)))
        .isInstanceOf(Start.class);
    assertThat(
            next(
                seen(RESTART, true, CLAIMED),
                new Claimed("uid-1", OrderRules.MAX_GRANT_WAIT.plusMillis(1))))
        .isInstanceOf(Finish.class);
  }

  @Test
  @DisplayName("ACT-36: tells the order in progress from other orders")
  void atWork() {
    NodeOrder order = seen(RESTART, true, STARTED);
    assertThat(next(order, new Acting("uid-1"))).isEqualTo(new Nothing("the order is in progress"));
    assertThat(next(order, new Acting("uid-0")))
        .isEqualTo(new Nothing("an earlier order is still in progress"));
  }
}
