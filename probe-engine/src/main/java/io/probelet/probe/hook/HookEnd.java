package io.probelet.probe.hook;

/** How a hook ended. */
public sealed interface HookEnd {
  /** It was carried out. */
  record Done() implements HookEnd {}

  /**
   * The hook failed or could not run.
   *
   * @param why one line without the container's output, which may be a secret
   */
  record Failed(String why) implements HookEnd {}

  /** It had not ended when its time was over. */
  record OutOfTime() implements HookEnd {}

  /** {@return what went wrong, for the log; empty if nothing did} */
  default String problem() {
    return switch (this) {
      case Done ignored -> "";
      case Failed(String why) -> why;
      case OutOfTime ignored -> "still running at the end of the grace period";
    };
  }
}
