package io.probelet.benchmarks;

import java.io.IOException;

/** A probed target that counts its connections. */
interface Target extends AutoCloseable {
  /** {@return accepted connections so far} */
  long connections() throws IOException;

  /** {@return CPU time so far of its own process, 0 if it is part of the harness} */
  long cpuMicros();

  @Override
  void close();
}
