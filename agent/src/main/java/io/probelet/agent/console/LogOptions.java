package io.probelet.agent.console;

import io.probelet.health.SystemClock;
import picocli.CommandLine.Option;

/** The options of every command that goes on and logs what it does. */
public final class LogOptions {
  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: ${DEFAULT-VALUE}).")
  private LogFormat format = LogFormat.TEXT;

  @Option(
      names = {"-v", "--verbose"},
      description = "Log every probe, not only changes.")
  private boolean verbose;

  /** Created by the command line. */
  public LogOptions() {}

  /** {@return the logging, which begins at once} */
  public Logging open() {
    return new Logging(format, verbose, SystemClock.INSTANCE);
  }
}
