package io.probelet.simulation.rules;

import io.probelet.simulation.rules.WorldEvent.OrderCarriedOut;
import java.util.HashSet;
import java.util.Set;

/** An order is for one boot of a node, and for one time. */
final class OrderCarriedOutOnce implements Rule {
  private final Set<String> carriedOut = new HashSet<>();

  @Override
  public String name() {
    return "order-carried-out-once";
  }

  @Override
  public String reason() {
    return "No order is carried out twice, or after the boot it was meant for (ACT-33 to ACT-35).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof OrderCarriedOut order) {
      findings.check(
          this,
          order.at(),
          carriedOut.add(order.order()),
          () -> "%s carried out order %s again".formatted(order.node(), order.order()));
      findings.check(
          this,
          order.at(),
          order.boot().equals(order.orderBoot()),
          () ->
              "%s carried out order %s in boot %s, which was meant for boot %s"
                  .formatted(order.node(), order.order(), order.boot(), order.orderBoot()));
    }
  }
}
