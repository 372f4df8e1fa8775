package io.probelet.probe.engine;

/** Decides which throwables of one task a shared worker survives. */
public final class Faults {
  private Faults() {}

  /**
   * Lets everything pass but the one error after which nothing can be trusted to work.
   *
   * @param thrown by one piece of work: an exception, a stack overflow, a class that cannot be
   *     linked
   * @throws OutOfMemoryError if it is one
   */
  public static void rethrowIfFatal(Throwable thrown) {
    if (thrown instanceof OutOfMemoryError exhausted) {
      throw exhausted;
    }
  }
}
