package io.probelet.probe.engine;

import java.util.concurrent.CompletableFuture;

/**
 * Has a last word on restarts. A container that it keeps is probed on as if it were new: so it is
 * known when it recovers, and asked for again when it does not.
 */
@FunctionalInterface
public interface RestartGate {
  /** Keeps nothing. */
  RestartGate OPEN = _ -> true;

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
   * Puts a decision into the words for what is going to happen here.
   *
   * @param decision in the words for a container that is restarted
   * @return the same decision, with another event if something else happens
   */
  default RestartDecision worded(RestartDecision decision) {
    return decision;
  }

  /**
   * {@return a gate that lets pass what this and another do}
   *
   * @param next asked about what this one lets pass
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
