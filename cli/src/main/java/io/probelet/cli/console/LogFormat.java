package io.probelet.cli.console;

/** The format of log lines. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object per line. */
  JSON
}
