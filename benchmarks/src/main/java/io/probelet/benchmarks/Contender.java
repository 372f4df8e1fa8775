package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Somebody who probes. */
interface Contender {
  /** {@return the name in the report} */
  String name();

  /** {@return how many seconds it probes before it is measured, of those that a JVM gets} */
  default int warmUp(int seconds) {
    return seconds;
  }

  /** Starts probing; returns once it is under way. */
  Run start(Path directory, Load load) throws IOException;

  /** A contender at work. */
  interface Run extends AutoCloseable {
    /** {@return the process that is measured, while it is at work} */
    Daemon daemon();

    /** Probes no more until it may go on; returns when nothing is under way. */
    void pause();

    /** Goes on, with its probes spread evenly over a period. */
    void goOn() throws IOException;

    /** Called when the contender is warm and what it says of itself begins to count. */
    default void measure() {}

    /** Ends the work and returns what the contender has to say about it, possibly nothing. */
    List<String> finish();

    @Override
    void close();
  }
}
