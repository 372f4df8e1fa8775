package io.probelet.monitor.check;

import io.probelet.health.GoDuration;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.rule.CheckSpec;
import java.io.IOException;
import java.time.Duration;

/**
 * Queries the status of the container runtime, and measures how long it takes to list containers.
 */
final class RuntimeCheck implements NodeCheck {
  private static final Duration NO_ANSWER = Duration.ofSeconds(5);

  private final CheckSpec.ContainerRuntime spec;
  private final Machine machine;

  RuntimeCheck(CheckSpec.ContainerRuntime spec, Machine machine) {
    this.spec = spec;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException, InterruptedException {
    RuntimeQuery runtime =
        machine.runtime().orElseThrow(() -> missing(new RuntimeQuery.NoRuntimeException()));
    Duration timeout = spec.listWithin().compareTo(NO_ANSWER) > 0 ? spec.listWithin() : NO_ANSWER;
    RuntimeQuery.Status answer;
    try {
      answer = runtime.ask(timeout);
    } catch (RuntimeQuery.NoRuntimeException none) {
      throw missing(none);
    } catch (IOException silent) {
      return new NodeCheckResult.Problem(String.valueOf(silent.getMessage()));
    }
    if (!answer.ready().isEmpty()) {
      return new NodeCheckResult.Problem("container runtime is not ready: " + answer.ready());
    }
    if (spec.network() && !answer.networkReady().isEmpty()) {
      return new NodeCheckResult.Problem(
          "container runtime's network is not ready: " + answer.networkReady());
    }
    return answer.listTook().compareTo(spec.listWithin()) > 0
        ? new NodeCheckResult.Problem(
            "container runtime took longer to list containers than "
                + GoDuration.format(spec.listWithin()))
        : NodeCheckResult.OK;
  }

  private static UnavailableException missing(RuntimeQuery.NoRuntimeException none) {
    return new UnavailableException(Obstacle.NOT_THERE, String.valueOf(none.getMessage()), none);
  }
}
