package io.probelet.probe.hook;

import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import java.time.Duration;
import java.util.List;

/** Runs the command of a hook in its container. */
@FunctionalInterface
public interface HookCommand {
  /**
   * Runs it and waits for it. May block.
   *
   * @param containerId which container
   * @param command program and arguments
   * @param within after which the command is ended, greater than zero
   * @return how it ended
   * @throws ContainerRuntimeException if it could not be run or its end could not be learned
   * @throws InterruptedException if the caller gave up waiting
   */
  ExecResult run(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException, InterruptedException;
}
