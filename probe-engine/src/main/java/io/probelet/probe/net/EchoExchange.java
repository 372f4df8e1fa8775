package io.probelet.probe.net;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.net.Attempt.Phase;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One ICMP echo request, and its reply (H-21). The kernel computes the checksum, chooses the
 * identifier and delivers only what has it.
 */
final class EchoExchange implements ProbeConnection.Listener {
  /** Messages that are no reply to this request, from a network that repeats or forges them. */
  static final int MAX_STRANGE = 16;

  private static final byte REQUEST = 8;
  private static final byte REPLY = 0;
  private static final byte REQUEST_V6 = (byte) 128;
  private static final byte REPLY_V6 = (byte) 129;

  /** Type, code, checksum, identifier and sequence number. */
  private static final int HEADER = 8;

  private final Dialer dialer;
  private final EchoSockets sockets;
  private final Endpoint endpoint;

  /** Sent as data, so that only what saw the request can reply to it. */
  private final long token;

  private @Nullable Attempt attempt;
  private byte reply;
  private int strange;

  EchoExchange(Dialer dialer, EchoSockets sockets, Endpoint endpoint, long token) {
    this.dialer = dialer;
    this.sockets = sockets;
    this.endpoint = endpoint;
    this.token = token;
  }

  void begin(Duration timeout, Consumer<ProbeOutcome> done) {
    attempt =
        Attempt.begin(
            dialer.loop(),
            timeout,
            phase -> Verdict.Failure.indefinite(endpoint.timedOut(phase)),
            done);
    dialer.openEcho(attempt(), endpoint, sockets, this);
  }

  private Attempt attempt() {
    return Objects.requireNonNull(attempt, "not begun");
  }

  @Override
  public void connected(ProbeConnection connection) {
    boolean ipv4 =
        connection.channel().remoteAddress() instanceof InetSocketAddress address
            && address.getAddress() instanceof Inet4Address;
    reply = ipv4 ? REPLY : REPLY_V6;
    connection.exchange(this);
    connection.send(
        ByteBuffer.allocate(HEADER + Long.BYTES)
            .put(ipv4 ? REQUEST : REQUEST_V6)
            .putLong(HEADER, token)
            .array());
  }

  @Override
  public void received(byte[] bytes, int length) {
    if (attempt().over()) {
      return;
    }
    ByteBuffer message = ByteBuffer.wrap(bytes, 0, length);
    if (length == HEADER + Long.BYTES && bytes[0] == reply && message.getLong(HEADER) == token) {
      attempt().enter(Phase.READING);
      attempt().end(new Verdict.Success("echo reply from " + endpoint));
    } else if (++strange > MAX_STRANGE) {
      attempt()
          .end(
              new Verdict.Failure(
                  "ICMP probe failed: more than "
                      + MAX_STRANGE
                      + " messages that are no reply to the request",
                  Cause.ANSWER));
    }
  }

  @Override
  public void failed(NetFailure failure) {
    attempt().end(failure.verdict(""));
  }
}
