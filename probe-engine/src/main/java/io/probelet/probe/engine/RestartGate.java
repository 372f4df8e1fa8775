package io.probelet.probe.engine;

import java.util.concurrent.CompletableFuture;

/**
 * Decides whether a restart may happen. A container whose restart is not allowed is still probed:
 * its result stays Failure, each further failure asks the gate again, and a success is its
 * recovery.
 */
@FunctionalInterface
public interface RestartGate {
  /** Keeps nothing. */
  RestartGate OPEN = decision -> true;

  /**
   * Asks about one container; called on its pod's loop, so it must not block.
   *
   * @param decision which and why
   * @return whether it is to be stopped
   */
  boolean allows(RestartDecision decision);

  /**
   * Asks about one container where the answer may take a while; called on its pod's loop, so it
   * must not block. The container is not probed until the answer is there.
   *
   * @param decision which and why
   * @return whether it is to be stopped, which comes within seconds and on any thread; an exception
   *     counts as yes
   */
  default CompletableFuture<Boolean> ask(RestartDecision decision) {
    return CompletableFuture.completedFuture(allows(decision));
  }

  /**
   * Rewords a decision for its actual effect.
   *
   * @param decision worded for a restart
   * @return the same decision, with another event if the effect differs
   */
  default RestartDecision worded(RestartDecision decision) {
    return decision;
  }

  /**
   * {@return a gate that allows what both this gate and another allow}
   *
   * @param next asked for restarts that this gate allows
   */
  default RestartGate and(RestartGate next) {
    return new RestartGate() {
      @Override
      public boolean allows(RestartDecision decision) {
        return RestartGate.this.allows(decision) && next.allows(decision);
      }

      @Override
      public CompletableFuture<Boolean> ask(RestartDecision decision) {
        return RestartGate.this
            .ask(decision)
            .thenCompose(lets ->
                lets ? next.ask(decision) : CompletableFuture.completedFuture(Boolean.FALSE));
      }

      @Override
      public RestartDecision worded(RestartDecision decision) {
        return next.worded(RestartGate.this.worded(decision));
      }
    };
  }
}
