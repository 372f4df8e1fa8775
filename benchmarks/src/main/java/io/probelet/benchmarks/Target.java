package io.probelet.benchmarks;

import java.io.IOException;

/** What is probed; it counts who comes. */
interface Target extends AutoCloseable {
  /** {@return connections taken so far} */
  long connections() throws IOException;

  @Override
  void close();
}
