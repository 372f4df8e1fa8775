package io.probelet.runtime.process;

import io.probelet.process.Admission;
import io.probelet.process.GroupCommand;
import io.probelet.process.ProcessGroup;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessGuard;
import io.probelet.process.ProcessOutput;
import io.probelet.runtime.confine.ConfinementPlan.Identity;
import io.probelet.runtime.confine.ControlGroup;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

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
   * Starts a container and reads its standard output and error, in the order they are written.
   *
   * @throws IOException if no process could be started, its limits cannot be set, or the guard is
   *     unavailable
   */
  ProcessGroup container(ContainerCommand command, Confined confined, OutputStream output)
      throws IOException {
    return launch(GatedCommand.of(command, confined.words(), true), command, confined, output);
  }

  /**
   * Starts a command beside a container and reads its output likewise.
   *
   * @throws IOException as above
   */
  ProcessGroup exec(ContainerCommand command, Confined confined, OutputStream output)
      throws IOException {
    return launch(GatedCommand.of(command, confined.words(), false), command, confined, output);
  }

  private ProcessGroup launch(
      GatedCommand gate, ContainerCommand command, Confined confined, OutputStream output)
      throws IOException {
    return groups.start(
        new GroupCommand(gate.words(), gate.env(), command.workingDir()),
        ProcessOutput.to(output, null),
        new Entry(guard, confined));
  }

  /** The guard has to know a group before its limits can hold it up. */
  private record Entry(ProcessGuard guard, Confined confined) implements Admission {
    @Override
    public void enter(long group) throws IOException {
      guard.enter(group);
      giveOutput(group);
      ControlGroup limits = confined.group();
      if (limits != null) {
        limits.enter(group);
      }
    }

    /** Another user owns the pipe of its output, so that it can open /dev/stdout. */
    private void giveOutput(long leader) throws IOException {
      Identity identity = confined.identity();
      if (identity != null) {
        Files.setAttribute(Path.of("/proc/" + leader + "/fd/1"), "unix:uid", identity.user());
      }
    }

    @Override
    public void left(long group) {
      guard.left(group);
    }
  }
}
