package io.probelet.agent.config;

/**
 * What an incident's record may hold.
 *
 * @param logLines how many of the last lines of the container's log, 0 to 100; whoever can read the
 *     agent's API can read them
 */
public record IncidentSettings(int logLines) {
  /** Most lines that can be set. */
  public static final int MAX_LOG_LINES = 100;

  /** No lines. */
  public static final IncidentSettings DEFAULT = new IncidentSettings(0);

  /** Checks the range. */
  public IncidentSettings {
    if (logLines < 0 || logLines > MAX_LOG_LINES) {
      throw new IllegalArgumentException(
          "logLines must be from 0 to " + MAX_LOG_LINES + ", found " + logLines);
    }
  }
}
