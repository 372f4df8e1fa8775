package io.probelet.agent.console;

/** How log lines look. */
public enum LogFormat {
  /** For people. */
  TEXT,
  /** One JSON object per line. */
  JSON
}
