package io.probelet.agent.console;

/** The format of log lines. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object per line. */
  JSON
}
