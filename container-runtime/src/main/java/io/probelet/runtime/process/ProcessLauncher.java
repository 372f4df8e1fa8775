package io.probelet.runtime.process;

import io.probelet.runtime.confine.ControlGroup;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import org.jspecify.annotations.Nullable;

/**
 * Starts process groups that cannot escape the guard.
 *
 * <p>A new process makes a session, and with it a group, of its own and then waits at a gate. It
 * may go on once the guard knows the group. If the agent dies before, the shell reads the end of
 * its input instead and ends.
 */
final class ProcessLauncher {
  private final ProcessGroups groups;
  private final ProcessGuard guard;

  ProcessLauncher(ProcessGroups groups, ProcessGuard guard) {
    this.groups = groups;
    this.guard = guard;
  }

  /**
   * Starts a command.
   *
   * @param confined what it is held to
   * @param output where standard output and error go, in the order they are written
   * @throws IOException if no process could be started, it cannot be held to its limits, or the
   *     guard cannot be reached
   */
  GroupProcess launch(ContainerCommand command, Confined confined, Redirect output)
      throws IOException {
    Gate gate = Gate.of(command, confined.words());
    ProcessBuilder builder =
        new ProcessBuilder(gate.words())
            .directory(command.workingDir().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().clear();
    builder.environment().putAll(gate.env());
    return guarded(builder.start(), confined.group());
  }

  private GroupProcess guarded(Process started, @Nullable ControlGroup group) throws IOException {
    try {
      guard.add(started.pid());
      if (group != null) {
        group.enter(started.pid());
      }
    } catch (IOException loose) {
      started.destroyForcibly();
      guard.remove(started.pid());
      throw loose;
    }
    GroupProcess process = new GroupProcess(started, groups, () -> guard.remove(started.pid()));
    process.openGate();
    return process;
  }
}
