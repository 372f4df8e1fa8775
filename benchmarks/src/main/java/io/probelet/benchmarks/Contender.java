package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A program that probes. */
interface Contender {
  /** {@return the name in the report} */
  String name();

  /** {@return the warm-up time in seconds; this is the time that a JVM gets} */
  default int warmUp(int seconds) {
    return seconds;
  }

  /** Starts to probe; returns after the start. */
  Run start(Path directory, Load load) throws IOException;

  /** A running contender. */
  interface Run extends AutoCloseable {
    /** {@return the measured process, while it runs} */
    Daemon daemon();

    /** Pauses probing; returns when no probe is running. */
    void pause();

    /** Resumes, with its probes spread evenly over a period. */
    void goOn() throws IOException;

    /** Called after the warm-up, when its own figures start to count. */
    default void measure() {}

    /** Stops it and returns its own figures, possibly none. */
    List<String> finish();

    @Override
    void close();
  }
}
