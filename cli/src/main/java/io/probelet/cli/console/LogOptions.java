package io.probelet.cli.console;

import io.probelet.health.SystemClock;
import picocli.CommandLine.Option;

/** The options of every command that goes on and logs what it does. */
public class LogOptions {
  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: ${DEFAULT-VALUE}).")
  private LogFormat format = LogFormat.TEXT;

  /** Created by the command line. */
  public LogOptions() {}

  /** Whether each probe is logged, not only what changes. */
  boolean logsEveryProbe() {
    return false;
  }

  /** {@return the logging, which begins at once} */
  public Logging open() {
    return new Logging(format, logsEveryProbe(), SystemClock.INSTANCE);
  }
}
