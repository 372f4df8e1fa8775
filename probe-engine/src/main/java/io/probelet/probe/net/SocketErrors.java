package io.probelet.probe.net;

import io.netty.channel.unix.Errors.NativeIoException;
import io.probelet.probe.Verdict.Reason;
import java.io.FileNotFoundException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds from what a socket threw which error of the kernel it was, and whose fault. */
public final class SocketErrors {
  private static final Pattern ERRNO = Pattern.compile("error\\(-([0-9]+)\\)");

  /** How a connection ends that the peer, or the way there, has given up. */
  private static final Set<Errno> BREAKS =
      EnumSet.of(Errno.EPIPE, Errno.ECONNABORTED, Errno.ECONNRESET, Errno.ETIMEDOUT);

  private SocketErrors() {}

  /** The errors that sockets give for reasons of the world, in Linux's numbers. */
  private enum Errno {
    EPERM(1, false, "operation not permitted"),
    ENOENT(2, false, "no such file or directory"), // a unix socket
    ENOMEM(12, true, "cannot allocate memory"),
    EACCES(13, false, "permission denied"),
    EINVAL(22, false, "invalid argument"),
    ENOSPC(28, true, "no space left on device"), // for one more socket in epoll
    ENFILE(23, true, "too many open files in system"),
    EMFILE(24, true, "too many open files"),
    EPIPE(32, false, "broken pipe"),
    EAFNOSUPPORT(97, false, "address family not supported by protocol"),
    EADDRNOTAVAIL(99, true, "cannot assign requested address"),
    ENETUNREACH(101, false, "network is unreachable"),
    ECONNABORTED(103, false, "software caused connection abort"),
    ECONNRESET(104, false, "connection reset by peer"),
    ENOBUFS(105, true, "no buffer space available"),
    ETIMEDOUT(110, false, "connection timed out"),
    ECONNREFUSED(111, false, "connection refused"),
    EHOSTUNREACH(113, false, "no route to host");

    final int number;
    final boolean shortage;
    final String text;

    Errno(int number, boolean shortage, String text) {
      this.number = number;
      this.shortage = shortage;
      this.text = text;
    }
  }

  /**
   * Sorts out why an operation on a socket failed.
   *
   * @param operation put in front of the reason
   * @param cause what the socket threw
   * @return whose fault it is, and the reason as Go words it
   */
  public static NetFailure failure(String operation, Throwable cause) {
    if (cause instanceof EchoSockets.UnavailableException) {
      return new NetFailure(Reason.BAD_TARGET, operation + cause.getMessage());
    }
    Optional<Errno> errno = errno(cause);
    if (errno.isPresent()) {
      return failure(operation, errno.get());
    }
    if (cause instanceof ClosedChannelException) {
      return NetFailure.broken(operation + "EOF");
    }
    String message = cause.getMessage();
    return new NetFailure(null, operation + (message == null ? cause.toString() : message));
  }

  /** Sorts out an error by the kernel's number. */
  static NetFailure failure(String operation, int number) {
    return byNumber(number)
        .map(errno -> failure(operation, errno))
        .orElseGet(() -> new NetFailure(null, operation + "error " + number));
  }

  private static NetFailure failure(String operation, Errno errno) {
    return BREAKS.contains(errno)
        ? NetFailure.broken(operation + errno.text)
        : new NetFailure(errno.shortage ? Reason.LOCAL_SHORTAGE : null, operation + errno.text);
  }

  private static Optional<Errno> errno(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      Optional<Errno> found =
          switch (each) {
            case NativeIoException known -> byNumber(-known.expectedErr());
            case FileNotFoundException _ -> Optional.of(Errno.ENOENT);
            case NoRouteToHostException noRoute when noRoute.getMessage() == null ->
                Optional.of(Errno.EHOSTUNREACH); // also thrown for ENETUNREACH
            default -> byMessage(each.getMessage());
          };
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Errno> byNumber(int number) {
    return Arrays.stream(Errno.values()).filter(each -> each.number == number).findFirst();
  }

  /** Neither transport always gives the number other than in the message. */
  private static Optional<Errno> byMessage(@Nullable String message) {
    if (message == null) {
      return Optional.empty();
    }
    Matcher number = ERRNO.matcher(message);
    if (number.find()) {
      return byNumber(Integer.parseInt(number.group(1)));
    }
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.equals("connection reset")) {
      return Optional.of(Errno.ECONNRESET); // the JDK's own word for it
    }
    return Arrays.stream(Errno.values())
        .filter(each -> lower.contains(each.text))
        .max((one, other) -> Integer.compare(one.text.length(), other.text.length()));
  }
}
