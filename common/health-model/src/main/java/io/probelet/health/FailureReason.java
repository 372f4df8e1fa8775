package io.probelet.health;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * Why something failed, in an operator's words: {@code permission denied} where Java has an
 * AccessDeniedException whose message is only a path.
 */
public final class FailureReason {
  private static final int MAX_CAUSES = 8;
  private static final int MAX_FILE = 160;

  /** Exceptions whose class is the reason. */
  private static final List<Map.Entry<Class<?>, String>> BY_CLASS =
      List.of(
          Map.entry(AccessDeniedException.class, "permission denied"),
          Map.entry(NoSuchFileException.class, "no such file or directory"),
          Map.entry(FileAlreadyExistsException.class, "the file already exists"),
          Map.entry(NotDirectoryException.class, "not a directory"),
          Map.entry(DirectoryNotEmptyException.class, "directory not empty"),
          Map.entry(FileSystemLoopException.class, "too many symbolic links"),
          Map.entry(CharacterCodingException.class, "not UTF-8 text"),
          Map.entry(ClosedChannelException.class, "connection closed"),
          Map.entry(NoRouteToHostException.class, "no route to host"),
          Map.entry(SocketTimeoutException.class, "timed out"),
          Map.entry(TimeoutException.class, "timed out"));

  private FailureReason() {}

  /**
   * {@return the reason, without the name of a file or of a Java class}
   *
   * @param failure any failure
   */
  public static String of(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; depth < MAX_CAUSES; depth++) {
      String known = known(cause);
      if (!known.isEmpty()) {
        return known;
      }
      Throwable next = cause.getCause();
      String message = cause.getMessage();
      if (message != null
          && !message.isBlank()
          && !(next != null && message.equals(next.toString()))) {
        return message;
      }
      if (next == null) {
        break;
      }
      cause = next;
    }
    return "unknown reason";
  }

  /**
   * {@return the reason, after the name of the file if the failure is about one; a long name is
   * shortened, since others shorten the end of the text}
   *
   * @param failure any failure
   */
  public static String withFile(Throwable failure) {
    String file = failure instanceof FileSystemException about ? about.getFile() : null;
    return file == null ? of(failure) : ShortText.middle(file, MAX_FILE) + ": " + of(failure);
  }

  /** What Java says by the class of an exception; empty for all others. */
  private static String known(Throwable failure) {
    for (Map.Entry<Class<?>, String> each : BY_CLASS) {
      if (each.getKey().isInstance(failure)) {
        return each.getValue();
      }
    }
    return switch (failure) {
      case FileSystemException other ->
          other.getReason() == null
              ? "input/output error"
              : other.getReason().toLowerCase(Locale.ROOT);
      case UnknownHostException unknown -> "unknown host " + unknown.getMessage();
      case ConnectException failed -> connect(failed);
      default -> "";
    };
  }

  /** Java's HTTP client gives no message. */
  private static String connect(ConnectException failed) {
    String message = failed.getMessage();
    return message == null ? "cannot connect" : message.toLowerCase(Locale.ROOT);
  }
}
