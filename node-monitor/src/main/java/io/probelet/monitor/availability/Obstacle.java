package io.probelet.monitor.availability;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a source cannot observe anything in this installation. The set is closed, so that metrics can
 * use it as a label.
 */
public enum Obstacle {
  /** A file, mount or socket does not exist, or the kernel lacks the feature. */
  NOT_THERE,
  /** It exists, but this process may not use it. */
  NOT_PERMITTED,
  /** Only this program's own container is visible. */
  OWN_CONTAINER,
  /** A required program is not installed. */
  NOT_INSTALLED;

  /** No exception here is wrapped more deeply. */
  private static final int MAX_CAUSES = 5;

  /** {@return its name in metrics and the API} */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Distinguishes missing prerequisites from failures.
   *
   * @return the missing prerequisite; empty if the cause is another
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

  /** Java has no specific exceptions for these; the messages are the C library's. */
  private static Optional<Obstacle> byReason(@Nullable String reason) {
    return switch (reason) {
      case "Operation not permitted" -> Optional.of(NOT_PERMITTED);
      case "Operation not supported" -> Optional.of(NOT_THERE);
      case null, default -> Optional.empty();
    };
  }
}
