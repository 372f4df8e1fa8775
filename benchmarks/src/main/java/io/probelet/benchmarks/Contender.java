package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Somebody who probes. */
interface Contender {
  /** {@return the name in the report} */
  String name();

  /** Starts probing; returns once it is under way. */
  Run start(Path directory, Load load) throws IOException;

  /** A contender at work. */
  interface Run extends AutoCloseable {
    /** {@return the process that is measured} */
    Daemon daemon();

    /** Called when the contender is warm and what it says of itself begins to count. */
    default void measure() {}

    /**
     * {@return the probes done in a window}
     *
     * @param connections what the target counted in it
     * @param seconds how long it was
     */
    default double probes(long connections, double seconds) {
      return connections;
    }

    /** Ends the work and returns what the contender has to say about it, possibly nothing. */
    List<String> finish();

    @Override
    void close();
  }
}
