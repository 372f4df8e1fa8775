package io.probelet.remediator.order;

/** What an agent does next about an order. */
public sealed interface AgentStep {
  /**
   * Nothing, until the order changes or what is under way ends.
   *
   * @param why in a line, for the log
   */
  record Nothing(String why) implements AgentStep {}

  /** Writes that it could carry out the order. */
  record Claim(OrderStatus status) implements AgentStep {}

  /** Writes that it begins and then, only if the API server confirms it, carries out the order. */
  record Start(OrderStatus status) implements AgentStep {}

  /**
   * Writes what came of the order, and does nothing else.
   *
   * @param status what to write, {@link OrderPhase#DONE} or {@link OrderPhase#FAILED}
   */
  record Finish(OrderStatus status) implements AgentStep {}
}
