package io.probelet.probe;

/** When a terminated container is started again. */
public enum RestartPolicy {
  /** After any exit. */
  ALWAYS,
  /** After an exit code other than 0. */
  ON_FAILURE,
  /** Not at all. */
  NEVER;

  /**
   * {@return whether a container that exited is started again}
   *
   * @param exitCode its exit code
   */
  public boolean restarts(int exitCode) {
    return switch (this) {
      case ALWAYS -> true;
      case ON_FAILURE -> exitCode != 0;
      case NEVER -> false;
    };
  }
}
