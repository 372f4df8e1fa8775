package io.probelet.process;

import java.io.IOException;

/** Starts process groups. */
public final class ProcessGroups {
  private final GroupSignals signals;

  private ProcessGroups(GroupSignals signals) {
    this.signals = signals;
  }

  /**
   * Creates an instance for this platform.
   *
   * @throws IOException if native access is disabled
   */
  public static ProcessGroups load() throws IOException {
    return new ProcessGroups(GroupSignals.load());
  }

  /**
   * Starts a command with empty standard input.
   *
   * @throws IOException if no process could be started
   */
  public ProcessGroup start(GroupCommand command, ProcessOutput output) throws IOException {
    return ProcessGroup.start(command, output, null, signals);
  }

  /**
   * Starts a command that waits for a line on standard input, sends the line when the group has
   * been admitted, and closes the input.
   *
   * @param admission admits the group first
   * @throws IOException if no process could be started, or it was not admitted
   */
  public ProcessGroup start(GroupCommand command, ProcessOutput output, Admission admission)
      throws IOException {
    return ProcessGroup.start(command, output, admission, signals);
  }
}
