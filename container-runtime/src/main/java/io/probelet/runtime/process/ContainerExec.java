package io.probelet.runtime.process;

import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.commons.exec.CommandLine;
import org.apache.commons.exec.DefaultExecutor;
import org.apache.commons.exec.ExecuteWatchdog;
import org.apache.commons.exec.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs one command beside a container, in its environment and directory, as its user and held to
 * the same, but in a process group of its own, which is killed as a whole at the timeout (H-9).
 */
final class ContainerExec {
  private final ProcessLauncher launcher;

  ContainerExec(ProcessLauncher launcher) {
    this.launcher = launcher;
  }

  /**
   * Runs a command and waits for it. One that does not exist exits with 127, one that may not be
   * run with 126, as in a shell.
   *
   * @throws ContainerRuntimeException if the container has ended, or no process could be started
   */
  ExecResult run(Instance container, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    ExecuteWatchdog watchdog =
        ExecuteWatchdog.builder()
            .setTimeout(timeout.toMillis() > 0 ? timeout : Duration.ofMillis(1))
            .setThreadFactory(Thread.ofVirtual().name("exec-timeout").factory())
            .get();
    CappedOutput output = new CappedOutput(outputLimit);
    GroupExecutor executor = new GroupExecutor(container, command);
    executor.setExitValues(null);
    executor.setWatchdog(watchdog);
    executor.setStreamHandler(output);
    int exitCode;
    try {
      exitCode = executor.execute(new CommandLine(command.getFirst()));
    } catch (IOException failed) {
      throw new ContainerRuntimeException(
          "cannot run " + command.getFirst() + " in " + container.id() + ": " + failed.getMessage(),
          failed);
    }
    if (watchdog.killedProcess()) {
      return new ExecResult.TimedOut();
    }
    if (exitCode == Executor.INVALID_EXITVALUE) { // its way to say that this thread was interrupted
      throw new InterruptedException("gave up on " + command.getFirst());
    }
    if (!container.running()) {
      throw new ContainerRuntimeException(
          "container " + container.id() + " ended while " + command.getFirst() + " ran in it");
    }
    return new ExecResult.Exited(exitCode, output.text());
  }

  /** Starts the command as a guarded group; destroying that, as watchdogs do, kills all of it. */
  private final class GroupExecutor extends DefaultExecutor {
    private final Instance container;
    private final List<String> command;

    @SuppressWarnings("deprecation") // the builder that replaces it cannot make a subclass
    GroupExecutor(Instance container, List<String> command) {
      this.container = container;
      this.command = command;
    }

    @Override
    protected Process launch(CommandLine nominal, @Nullable Map<String, String> env, Path dir)
        throws IOException {
      ContainerCommand entered =
          new ContainerCommand(
              command, container.command().env(), container.command().workingDir());
      GroupProcess process = launcher.launch(entered, container.confined(), Redirect.PIPE);
      container.entered(process);
      return process;
    }
  }
}
