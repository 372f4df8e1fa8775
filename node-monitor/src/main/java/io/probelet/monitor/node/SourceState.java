package io.probelet.monitor.node;

import io.probelet.monitor.availability.Obstacle;

/** Whether a source of evidence observes what it is for. */
public sealed interface SourceState {
  /** Nothing has come of it yet. */
  record Starting() implements SourceState {}

  /** It does. */
  record Running() implements SourceState {}

  /**
   * It has, and does not now, or fails for a reason that has nothing to do with what it takes.
   *
   * @param why for people
   */
  record Failing(String why) implements SourceState {}

  /**
   * It cannot, as this program is installed (B-17).
   *
   * @param obstacle what is in the way
   * @param why for people
   */
  record Unavailable(Obstacle obstacle, String why) implements SourceState {}

  /** {@return what keeps it from working, for people; empty if nothing does} */
  default String trouble() {
    return switch (this) {
      case Starting(), Running() -> "";
      case Failing(String why) -> why;
      case Unavailable(_, String why) -> why;
    };
  }

  /** {@return its name in the API: starting, running, failing or unavailable} */
  default String label() {
    return switch (this) {
      case Starting() -> "starting";
      case Running() -> "running";
      case Failing _ -> "failing";
      case Unavailable _ -> "unavailable";
    };
  }

  /** {@return what is in the way, by its name in the API; empty unless it is unavailable} */
  default String obstacleLabel() {
    return this instanceof Unavailable(Obstacle obstacle, _) ? obstacle.label() : "";
  }
}
