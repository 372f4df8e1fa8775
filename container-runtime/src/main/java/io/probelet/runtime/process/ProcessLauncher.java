package io.probelet.runtime.process;

import io.probelet.process.Admission;
import io.probelet.process.GroupCommand;
import io.probelet.process.ProcessGroup;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessGuard;
import io.probelet.process.ProcessOutput;
import io.probelet.runtime.confine.ControlGroup;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Starts process groups that the guard can always end.
 *
 * <p>A new process creates its own session, and with it a group, and then waits at a gate. It
 * continues after the guard knows the group. If the agent dies before, the shell reads the end of
 * its input and exits.
 */
final class ProcessLauncher {
  private final ProcessGroups groups;
  private final ProcessGuard guard;

  ProcessLauncher(ProcessGroups groups, ProcessGuard guard) {
    this.groups = groups;
    this.guard = guard;
  }

  /**
   * Starts a command that appends standard output and error to a file by itself.
   *
   * @throws IOException if no process could be started, its limits cannot be set, or the guard is
   *     unavailable
   */
  ProcessGroup launch(ContainerCommand command, Confined confined, Path log) throws IOException {
    return launch(
        GatedCommand.of(command, confined.words(), log), command, confined, ProcessOutput.NONE);
  }

  /**
   * Starts a command and reads its standard output and error, in the order they are written.
   *
   * @throws IOException as above
   */
  ProcessGroup launch(ContainerCommand command, Confined confined, OutputStream output)
      throws IOException {
    return launch(
        GatedCommand.of(command, confined.words(), null),
        command,
        confined,
        ProcessOutput.to(output, null));
  }

  private ProcessGroup launch(
      GatedCommand gate, ContainerCommand command, Confined confined, ProcessOutput output)
      throws IOException {
    return groups.start(
        new GroupCommand(gate.words(), gate.env(), command.workingDir()),
        output,
        new Entry(guard, confined.group()));
  }

  /** The guard must know a group before its limits can delay it. */
  private record Entry(ProcessGuard guard, @Nullable ControlGroup limits) implements Admission {
    @Override
    public void enter(long group) throws IOException {
      guard.enter(group);
      if (limits != null) {
        limits.enter(group);
      }
    }

    @Override
    public void left(long group) {
      guard.left(group);
    }
  }
}
