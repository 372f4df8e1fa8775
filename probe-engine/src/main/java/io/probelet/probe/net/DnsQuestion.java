package io.probelet.probe.net;

import io.probelet.health.ShortText;
import io.probelet.health.dns.DnsMessage;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.RedirectBudget;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.net.Attempt.Phase;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One question to a DNS server (H-15): a datagram, and a connection if the answer does not fit into
 * one. What answers another question is passed over, up to a bound.
 */
final class DnsQuestion implements ProbeConnection.Listener {
  /** Bytes of an answer by TCP; the protocol has up to 64 KiB, a probe needs a fraction. */
  static final int MAX_ANSWER = 16 * 1024;

  /** Datagrams that answer something else. */
  static final int MAX_STRANGE = 16;

  private static final int PREFIX = 2;
  private static final int LONGEST_SHOWN = 200;

  private final Dialer dialer;
  private final Dns handler;
  private final Endpoint endpoint;
  private final DnsMessage question;
  private final RedirectBudget further;
  private @Nullable Attempt attempt;
  private boolean byTcp;
  private int strange;

  /** What has come by TCP. */
  private byte[] stream = new byte[512];

  private int length;

  DnsQuestion(Dialer dialer, Dns handler, Endpoint endpoint, int id, RedirectBudget further) {
    this.dialer = dialer;
    this.handler = handler;
    this.endpoint = endpoint;
    this.further = further;
    question = DnsMessage.question(id, handler.name(), handler.type());
  }

  void begin(Duration timeout, Consumer<ProbeOutcome> done) {
    attempt = Attempt.begin(dialer.loop(), timeout, this::timedOut, done);
    byTcp = handler.byTcp();
    if (byTcp) {
      dialer.open(attempt(), endpoint, this);
    } else {
      dialer.openDatagram(attempt(), endpoint, this);
    }
  }

  private Attempt attempt() {
    return Objects.requireNonNull(attempt, "not begun");
  }

  @Override
  public void connected(ProbeConnection connection) {
    connection.exchange(this);
    byte[] bytes = question.bytes();
    connection.send(
        byTcp
            ? ByteBuffer.allocate(PREFIX + bytes.length)
                .putShort((short) bytes.length)
                .put(bytes)
                .array()
            : bytes);
  }

  @Override
  public void received(byte[] bytes, int count) {
    if (attempt().over()) {
      return;
    }
    if (attempt().phase() == Phase.WAITING) {
      attempt().enter(Phase.READING);
    }
    if (byTcp) {
      add(bytes, count);
    } else {
      take(DnsMessage.of(bytes, count));
    }
  }

  private void add(byte[] bytes, int count) {
    int taken = Math.min(count, PREFIX + MAX_ANSWER - length);
    if (length + taken > stream.length) {
      int roomy = Math.min(PREFIX + MAX_ANSWER, Math.max(length + taken, 2 * stream.length));
      stream = Arrays.copyOf(stream, roomy);
    }
    System.arraycopy(bytes, 0, stream, length, taken);
    length += taken;
    if (length < PREFIX) {
      return;
    }
    int announced = ByteBuffer.wrap(stream).getShort() & 0xffff;
    if (announced > MAX_ANSWER) {
      fail("an answer of more than " + MAX_ANSWER / 1024 + " KiB", Cause.ANSWER);
    } else if (length >= PREFIX + announced) {
      byte[] answer = Arrays.copyOfRange(stream, PREFIX, PREFIX + announced);
      take(DnsMessage.of(answer, announced));
    }
  }

  private void take(DnsMessage answer) {
    if (!answer.answers(question)) {
      if (byTcp || ++strange > MAX_STRANGE) {
        fail("the server answers other questions", Cause.ANSWER);
      }
    } else if (answer.truncated() && !byTcp) {
      askByTcp();
    } else if (!handler.codes().contains(answer.codeName())) {
      fail(
          "%s for %s, expected %s"
              .formatted(answer.codeName(), asked(), String.join(", ", handler.codes())),
          Cause.STATUS);
    } else if (answer.code() != 0) {
      attempt().end(new Verdict.Success(answer.codeName()));
    } else {
      judge(answer.records(handler.type()));
    }
  }

  /** W-13: a request beyond the first is charged to the pod. */
  private void askByTcp() {
    byTcp = true;
    Optional<Verdict.ProberError> refused = further.charge();
    if (refused.isPresent()) {
      attempt().end(refused.get());
    } else {
      dialer.open(attempt(), endpoint, this);
    }
  }

  private void judge(Optional<List<String>> records) {
    if (records.isEmpty()) {
      fail("malformed answer", Cause.ANSWER);
      return;
    }
    List<String> missing = new ArrayList<>(handler.answers());
    missing.removeAll(records.get());
    if (records.get().isEmpty()) {
      fail("no record for " + asked(), Cause.EXPECT);
    } else if (!missing.isEmpty()) {
      String absent = ShortText.of(String.join(", ", missing), LONGEST_SHOWN);
      fail("the answer for " + asked() + " does not have " + absent, Cause.EXPECT);
    } else {
      attempt().end(new Verdict.Success(ShortText.of(String.join(", ", records.get()), 1_024)));
    }
  }

  private String asked() {
    String name = handler.name().isEmpty() ? "." : handler.name();
    return ShortText.of(name, LONGEST_SHOWN) + " (" + handler.type() + ")";
  }

  @Override
  public void ended() {
    if (!attempt().over()) {
      fail("the server ended the connection without an answer", Cause.ANSWER);
    }
  }

  @Override
  public void failed(NetFailure failure) {
    attempt().end(failure.verdict(""));
  }

  private void fail(String what, Cause cause) {
    attempt().end(new Verdict.Failure("DNS probe failed: " + what, cause));
  }

  private Verdict timedOut(Phase phase) {
    return Verdict.Failure.indefinite(
        switch (phase) {
          case RESOLVING, CONNECTING, SECURING -> endpoint.timedOut(phase);
          case WAITING, READING -> "read " + (byTcp ? "tcp " : "udp ") + endpoint + ": i/o timeout";
        });
  }
}
