package io.probelet.probe.engine;

/** What whoever carries out work for many may survive of what one piece of it throws. */
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
