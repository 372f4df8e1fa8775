package io.probelet.simulation.rules;

import io.probelet.simulation.rules.WorldEvent.QueueSize;

/** A queue without a bound is memory that someone else decides about. */
final class QueuesAreBounded implements Rule {
  @Override
  public String name() {
    return "queues-are-bounded";
  }

  @Override
  public String reason() {
    return "Every queue stays within its bound.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof QueueSize queue) {
      findings.check(
          this,
          queue.at(),
          queue.size() <= queue.bound(),
          () ->
              "%s has %d elements in %s, which may have %d"
                  .formatted(queue.process(), queue.size(), queue.queue(), queue.bound()));
    }
  }
}
