package io.probelet.runtime.process;

import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.process.CappedOutput;
import io.probelet.process.ProcessGroup;
import io.probelet.runtime.process.ContainerCommand.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Runs one command for a container, with its environment, directory, user and restrictions, but in
 * its own process group, which is killed at the timeout (H-9).
 */
final class ContainerExec {
  private final ProcessLauncher launcher;

  ContainerExec(ProcessLauncher launcher) {
    this.launcher = launcher;
  }

  /**
   * Runs a command and waits for it. As with a container runtime, a command that does not exist or
   * is not executable is an error, and one that the kernel refuses to execute exits with a message.
   *
   * @throws ContainerRuntimeException if the container has ended, or no process could be started
   */
  ExecResult run(
      ContainerInstance container, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    CappedOutput output = new CappedOutput(outputLimit);
    ContainerCommand entered =
        new ContainerCommand(command, container.command().env(), container.command().workingDir());
    Optional<Refusal> refusal = entered.refusal(container.confined().identity());
    if (refusal.isPresent()) {
      if (refusal.get().exitsByItself()) {
        return new ExecResult.Exited(refusal.get().exitCode(), refusal.get().message() + "\n");
      }
      throw new ContainerRuntimeException(
          "cannot run in " + container.id() + ": " + refusal.get().message());
    }
    ProcessGroup process;
    try {
      process = launcher.exec(entered, container.confined(), output);
    } catch (IOException failed) {
      throw new ContainerRuntimeException(
          "cannot run " + command.getFirst() + " in " + container.id() + ": " + failed.getMessage(),
          failed);
    }
    container.entered(process);
    OptionalInt exitCode = process.endWithin(timeout);
    if (exitCode.isEmpty()) {
      return new ExecResult.TimedOut(output.text());
    }
    if (!container.running()) {
      throw new ContainerRuntimeException(
          "container " + container.id() + " ended while " + command.getFirst() + " ran in it");
    }
    return new ExecResult.Exited(exitCode.getAsInt(), output.text());
  }
}
