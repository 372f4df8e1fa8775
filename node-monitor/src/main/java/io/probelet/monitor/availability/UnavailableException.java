package io.probelet.monitor.availability;

import java.io.IOException;
import java.io.Serial;

/** A source cannot observe anything because this installation lacks a prerequisite (B-17). */
public final class UnavailableException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  private final Obstacle obstacle;

  /**
   * Creates it.
   *
   * @param message for the user: what is missing, and what is required
   */
  public UnavailableException(Obstacle obstacle, String message) {
    super(message);
    this.obstacle = obstacle;
  }

  /**
   * Creates it.
   *
   * @param message for the user: what is missing, and what is required
   */
  public UnavailableException(Obstacle obstacle, String message, Throwable cause) {
    super(message, cause);
    this.obstacle = obstacle;
  }

  /** {@return the missing prerequisite} */
  public Obstacle obstacle() {
    return obstacle;
  }
}
