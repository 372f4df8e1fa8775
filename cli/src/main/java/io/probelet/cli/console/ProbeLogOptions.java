package io.probelet.cli.console;

import picocli.CommandLine.Option;

/** The options of every long-running command that probes. */
public final class ProbeLogOptions extends LogOptions {
  @Option(
      names = {"-v", "--verbose"},
      description = "Log every probe, not only changes.")
  private boolean verbose;

  /** Created by the command line. */
  public ProbeLogOptions() {}

  @Override
  boolean logsEveryProbe() {
    return verbose;
  }
}
