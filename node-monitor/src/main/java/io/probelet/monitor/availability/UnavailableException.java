package io.probelet.monitor.availability;

import java.io.IOException;
import java.io.Serial;

/** A source cannot observe anything, for want of something in this installation (B-17). */
public final class UnavailableException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final Obstacle obstacle;

  /**
   * Creates it.
   *
   * @param message for the user: what is missing, and what it would take
   */
  public UnavailableException(Obstacle obstacle, String message) {
    super(message);
    this.obstacle = obstacle;
  }

  /**
   * Creates it.
   *
   * @param message for the user: what is missing, and what it would take
   */
  public UnavailableException(Obstacle obstacle, String message, Throwable cause) {
    super(message, cause);
    this.obstacle = obstacle;
  }

  /** {@return what is in the way} */
  public Obstacle obstacle() {
    return obstacle;
  }
}
