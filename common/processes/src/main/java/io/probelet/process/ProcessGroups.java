package io.probelet.process;

import java.io.IOException;

/** Starts process groups. */
public final class ProcessGroups {
  private final GroupSignals signals;

  private ProcessGroups(GroupSignals signals) {
    this.signals = signals;
  }

  /**
   * Finds out how to signal groups here.
   *
   * @throws IOException if this Java may not call native code
   */
  public static ProcessGroups load() throws IOException {
    return new ProcessGroups(GroupSignals.load());
  }

  /**
   * Starts a command that finds the end of its input at once.
   *
   * @throws IOException if no process could be started
   */
  public ProcessGroup start(GroupCommand command, ProcessOutput output) throws IOException {
    return ProcessGroup.start(command, output, null, signals);
  }

  /**
   * Starts a command that waits for a line on its standard input, and sends that line when the
   * group has been let in. Behind the line is the end of the input.
   *
   * @param admission who has to let it in first
   * @throws IOException if no process could be started, or it was not let in
   */
  public ProcessGroup start(GroupCommand command, ProcessOutput output, Admission admission)
      throws IOException {
    return ProcessGroup.start(command, output, admission, signals);
  }
}
