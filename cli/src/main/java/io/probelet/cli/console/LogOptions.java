package io.probelet.cli.console;

import io.probelet.health.SystemClock;
import picocli.CommandLine.Option;

/** The options of every long-running command. */
public class LogOptions {
  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "Format of log lines: text or json (default: ${DEFAULT-VALUE}).")
  private LogFormat format = LogFormat.TEXT;

  /** Created by the command line. */
  public LogOptions() {}

  /** Whether each probe is logged, not only what changes. */
  boolean logsEveryProbe() {
    return false;
  }

  /** {@return the logging, which starts immediately} */
  public Logging open() {
    return new Logging(format, logsEveryProbe(), SystemClock.INSTANCE);
  }
}
