package io.probelet.probe.runtime;

import java.time.Duration;

/** How a command in a container ended. */
public sealed interface ExecResult {
  /**
   * The command ended by itself.
   *
   * @param exitCode its exit code, 128 + n when signal n ended it
   * @param output standard output and error up to the limit, malformed UTF-8 replaced
   */
  record Exited(int exitCode, String output) implements ExecResult {}

  /**
   * The command was still running at its timeout and was killed.
   *
   * @param output as of {@link Exited}, until then; empty where the runtime reports it only at the
   *     end
   */
  record TimedOut(String output) implements ExecResult {
    /** Its output is not known. */
    public TimedOut() {
      this("");
    }
  }

  /**
   * The command was killed before its timeout, because others waited for its slot. This says
   * nothing about the container.
   *
   * @param held how long it had its slot
   */
  record Displaced(Duration held) implements ExecResult {}
}
