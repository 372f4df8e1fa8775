package io.probelet.monitor.availability;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a source cannot observe anything where it is. There are no others, so that metrics may. */
public enum Obstacle {
  /** A file, mount or socket is not there, or the kernel does not offer it. */
  NOT_THERE,
  /** It is there, and may not be used. */
  NOT_PERMITTED,
  /** Only this program's own container can be seen. */
  OWN_CONTAINER,
  /** A program that does the work is not installed. */
  NOT_INSTALLED;

  /** Deeper than any exception here is wrapped. */
  private static final int MAX_CAUSES = 5;

  /** {@return its name in metrics and the API} */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Distinguishes what is missing from what has failed.
   *
   * @return what is missing; empty if it was something else
   */
  public static Optional<Obstacle> in(IOException failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      Optional<Obstacle> found =
          switch (cause) {
            case UnavailableException unavailable -> Optional.of(unavailable.obstacle());
            case NoSuchFileException _, NotDirectoryException _ -> Optional.of(NOT_THERE);
            case AccessDeniedException _ -> Optional.of(NOT_PERMITTED);
            case FileSystemException refused -> byReason(refused.getReason());
            default -> Optional.empty();
          };
      if (found.isPresent()) {
        return found;
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** Java has no exceptions of their own for these; the words are the C library's. */
  private static Optional<Obstacle> byReason(@Nullable String reason) {
    return switch (reason) {
      case "Operation not permitted" -> Optional.of(NOT_PERMITTED);
      case "Operation not supported" -> Optional.of(NOT_THERE);
      case null, default -> Optional.empty();
    };
  }
}
