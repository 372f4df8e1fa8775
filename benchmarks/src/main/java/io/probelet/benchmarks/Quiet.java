package io.probelet.benchmarks;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Keeps logs out of the output that the harness reads. */
final class Quiet {
  private Quiet() {}

  static void logs() {
    if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.OFF);
    }
  }
}
