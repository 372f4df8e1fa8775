package io.probelet.probe.runtime;

import io.probelet.probe.PodRef;
import java.time.Duration;
import java.util.List;

/**
 * The port through which containers are seen, entered and stopped. Adapters exist for local
 * processes and for CRI runtimes.
 *
 * <p>Methods may block and are called on virtual threads; they are safe for use by several threads.
 */
public interface ContainerRuntime extends AutoCloseable {
  /**
   * {@return a runtime without containers, in which every call fails}
   *
   * @param reason why, for users: the text of exec probes' errors
   */
  static ContainerRuntime none(String reason) {
    return new NoRuntime(reason);
  }

  /**
   * Begins to report pods to the listener: first everything there is, then every change.
   *
   * @param listener called one report at a time
   */
  void watch(RuntimeListener listener);

  /**
   * Runs a command in a container and waits for it.
   *
   * @param pod whose container it is: places for commands are shared among pods and namespaces
   * @param containerId which container
   * @param command program and arguments, already expanded
   * @param timeout after which the command is killed
   * @param outputLimit bytes of standard output and error, together, that are kept
   * @return how it ended
   * @throws ContainerRuntimeException if it could not be run or its end could not be learned
   * @throws InterruptedException if the caller gave up waiting
   */
  ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException;

  /**
   * Asks whether a container still runs, so that nothing is done for one that does not.
   *
   * @param containerId which container
   * @return whether it runs; true where that cannot be known
   * @throws ContainerRuntimeException if it could not be learned
   * @throws InterruptedException if the caller gave up waiting
   */
  default boolean runs(String containerId) throws ContainerRuntimeException, InterruptedException {
    return true;
  }

  /**
   * Reads what the kernel says about a container.
   *
   * @param containerId which container
   * @return what could be read, possibly nothing
   * @throws ContainerRuntimeException if the runtime failed
   * @throws InterruptedException if the caller gave up waiting
   */
  default ContainerEvidence evidence(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    return ContainerEvidence.NONE;
  }

  /**
   * Runs the command of a preStop hook in a container (D-7). Unlike a probe it may take as long as
   * the grace period, so it takes no place from probes.
   *
   * @param containerId which container
   * @param command program and arguments
   * @param within after which the command is ended and no longer waited for, greater than zero
   * @return how it ended; of its output nothing
   * @throws ContainerRuntimeException if it could not be run or its end could not be learned
   * @throws InterruptedException if the caller gave up waiting
   */
  ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException, InterruptedException;

  /**
   * Stops a container and waits until it has ended: TERM, then KILL after the grace period. A
   * container that has ended already, or is unknown, is stopped.
   *
   * @param containerId which container
   * @param grace time between TERM and KILL, zero or more
   * @throws ContainerRuntimeException if it could not be stopped; trying again is safe
   * @throws InterruptedException if the caller gave up waiting
   */
  void stop(String containerId, Duration grace)
      throws ContainerRuntimeException, InterruptedException;

  /** Stops reporting and releases its resources; never throws. */
  @Override
  void close();
}
