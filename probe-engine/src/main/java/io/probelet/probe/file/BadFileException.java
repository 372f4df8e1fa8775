package io.probelet.probe.file;

import org.jspecify.annotations.Nullable;

/** A file is missing, holds something else, or did not let itself be read. */
public final class BadFileException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message names the file and what it should be
   * @param cause null when there is none
   */
  public BadFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** {@return what is wrong} */
  public String text() {
    return String.valueOf(getMessage());
  }
}
