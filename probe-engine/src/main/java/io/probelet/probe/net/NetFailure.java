package io.probelet.probe.net;

import io.netty.handler.codec.DecoderException;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.file.BadFileException;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why a connection failed or ended.
 *
 * @param fault null when the target is at fault; otherwise why the probe could not be carried out
 * @param message one line that names the operation and the address, worded as Go does
 * @param definite false when a connection broke, or was given up by a peer that waited for us
 */
public record NetFailure(@Nullable Reason fault, String message, boolean definite) {
  /**
   * A definite failure.
   *
   * @param fault null when the target is at fault
   * @param message one line
   */
  public NetFailure(@Nullable Reason fault, String message) {
    this(fault, message, true);
  }

  /**
   * {@return that a connection broke}
   *
   * @param message one line
   */
  public static NetFailure broken(String message) {
    return new NetFailure(null, message, false);
  }

  /** Says what was being done, in front. */
  NetFailure in(String operation) {
    return new NetFailure(fault, operation + message, definite);
  }

  /**
   * {@return why an open connection broke, from what a channel's pipeline reported}
   *
   * @param endpoint the peer
   * @param cause of the exception event
   */
  public static NetFailure reading(Endpoint endpoint, Throwable cause) {
    Throwable root = cause instanceof DecoderException ? cause.getCause() : cause;
    return switch (root) {
      case null -> new NetFailure(Reason.INTERNAL, "prober failed: " + cause);
      case SSLException tls -> TlsErrors.failure(endpoint, tls);
      case IOException io ->
          SocketErrors.failure("read " + endpoint.network() + " " + endpoint + ": read: ", io);
      // W-11: counts for nothing
      default -> new NetFailure(Reason.INTERNAL, "prober failed: " + root);
    };
  }

  /**
   * {@return why what a probe needs of files is not there}
   *
   * @param cause that reading them ended with
   */
  public static NetFailure unread(Throwable cause) {
    return cause instanceof BadFileException bad
        ? new NetFailure(Reason.BAD_TARGET, bad.text())
        : new NetFailure(Reason.INTERNAL, "prober failed: " + cause); // W-11: counts for nothing
  }

  /**
   * {@return the verdict this amounts to: Failure when the target is at fault, else ProberError}
   *
   * @param context put in front of the message, possibly empty
   */
  public Verdict verdict(String context) {
    String text = context + message;
    return fault == null
        ? new Verdict.Failure(text, definite)
        : new Verdict.ProberError(fault, text);
  }
}
