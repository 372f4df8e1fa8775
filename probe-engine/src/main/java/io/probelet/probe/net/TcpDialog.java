package io.probelet.probe.net;

import io.probelet.health.ShortText;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.rule.BodyRuleThreads;
import io.probelet.probe.rule.TextRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a TCP probe says and hears, step by step (H-14).
 *
 * <p>A text is searched for in all that has come and was not used by an earlier step. An expression
 * is held against one line after the other, so that each byte is matched once, however the server
 * cuts its answer. What is read is bounded in bytes and in lines.
 */
final class TcpDialog implements ProbeConnection.Listener {
  /** Bytes that are read in all. */
  static final int MAX_BYTES = 16 * 1024;

  /** Lines that are held against expressions. */
  static final int MAX_LINES = 100;

  private static final int LONGEST_SHOWN = 200;

  private final Dialer dialer;
  private final BodyRuleThreads rules;
  private final PodRef pod;
  private final TcpSocket handler;
  private final Endpoint endpoint;
  private @Nullable Attempt attempt;
  private @Nullable ProbeConnection connection;
  private BodyRuleThreads.@Nullable BodyCheck check;
  private int step;

  /** The rule that was met last, in a message of success. */
  private String met = "";

  private byte[] bytes = new byte[512];
  private int length;

  /** Before it all bytes were used by steps. */
  private int used;

  /** Before it the present step has found nothing, so that no byte is looked at twice. */
  private int searched;

  private int lines;
  private boolean ended;

  /** Steps are being taken: what is known at once is left to the loop that asked for it. */
  private boolean going;

  /** No step is taken until the handshake has ended. */
  private boolean securing;

  TcpDialog(
      Dialer dialer, BodyRuleThreads rules, PodRef pod, TcpSocket handler, Endpoint endpoint) {
    this.dialer = dialer;
    this.rules = rules;
    this.pod = pod;
    this.handler = handler;
    this.endpoint = endpoint;
  }

  void begin(Duration timeout, Consumer<ProbeOutcome> done) {
    Attempt begun = Attempt.begin(dialer.loop(), timeout, this::timedOut, done);
    attempt = begun;
    TlsOptions tls = handler.tls();
    if (handler.startsTls()) {
      dialer.dial(begun, endpoint, null, this);
    } else if (tls != null) {
      dialer.dial(begun, endpoint, new Tls(tls, List.of()), this);
    } else {
      dialer.open(begun, endpoint, this);
    }
  }

  private Attempt attempt() {
    return Objects.requireNonNull(attempt, "not begun");
  }

  @Override
  public void connected(ProbeConnection made) {
    connection = made;
    securing = false;
    made.exchange(this);
    goOn();
  }

  @Override
  public void received(byte[] data, int count) {
    if (attempt().over()) {
      return;
    }
    if (attempt().phase() == Phase.WAITING) {
      attempt().enter(Phase.READING);
    }
    int taken = Math.min(count, MAX_BYTES - length);
    if (length + taken > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.min(MAX_BYTES, Math.max(length + taken, 2 * length)));
    }
    System.arraycopy(data, 0, bytes, length, taken);
    length += taken;
    goOn();
    if (taken < count && !attempt().over() && check == null) {
      tooMuch();
    }
  }

  @Override
  public void ended() {
    ended = true;
    goOn();
  }

  @Override
  public void failed(NetFailure failure) {
    attempt().end(failure.verdict(""));
  }

  /** Takes steps until one has to wait. */
  private void goOn() {
    if (going) {
      return;
    }
    going = true;
    try {
      boolean moved = true;
      while (moved && check == null && !securing && !attempt().over()) {
        moved = next();
      }
    } finally {
      going = false;
    }
  }

  /** Takes a step; returns whether there may be another one at once. */
  private boolean next() {
    if (step == handler.dialog().size()) {
      attempt().end(new Verdict.Success(met));
      return false;
    }
    return switch (handler.dialog().get(step)) {
      case Step.Send(String text) -> send(text);
      case Step.StartTls ignored -> secure();
      case Step.Expect(BodyRule.Contains(String text)) -> find(text);
      case Step.Expect(BodyRule rule) -> nextLine(rule);
    };
  }

  private boolean send(String text) {
    step++;
    Objects.requireNonNull(connection).send(text.getBytes(StandardCharsets.UTF_8));
    return true;
  }

  /** What has come already was sent without protection, and may be another's. */
  private boolean secure() {
    step++;
    if (used < length) {
      fail("tls: data of the server before the handshake");
      return false;
    }
    TlsOptions given = handler.tls();
    securing = true;
    dialer.secure(
        attempt(),
        endpoint,
        new Tls(given == null ? TlsOptions.INSECURE : given, List.of()),
        Objects.requireNonNull(connection),
        this);
    return true;
  }

  private boolean find(String text) {
    byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
    int at = Math.max(used, searched);
    while (at + wanted.length <= length) {
      if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        used = at + wanted.length;
        met = text;
        step++;
        return true;
      }
      at++;
    }
    searched = at;
    failIfOver();
    return false;
  }

  /** Holds the next line against an expression; without one there is nothing to do yet. */
  private boolean nextLine(BodyRule rule) {
    int end = Math.max(used, searched);
    while (end < length && bytes[end] != '\n') {
      end++;
    }
    boolean whole = end < length;
    if (!whole && (!ended || end == used)) {
      searched = end;
      failIfOver();
      return false;
    }
    if (++lines > MAX_LINES) {
      fail("more than " + MAX_LINES + " lines without " + expected());
      return false;
    }
    int last = end > used && bytes[end - 1] == '\r' ? end - 1 : end;
    String line = new String(bytes, used, last - used, StandardCharsets.UTF_8);
    used = whole ? end + 1 : end;
    TextRules text = new TextRules("line", line, false, List.of(rule), Cause.EXPECT);
    BodyRuleThreads.BodyCheck begun = rules.check(pod, "TCP", List.of(text), line);
    check = begun;
    dialer.loop().await(attempt(), begun.verdict(), this::checked);
    return true;
  }

  private void checked(Verdict verdict) {
    check = null;
    switch (verdict) {
      case Verdict.Success ignored -> {
        met = expected();
        step++;
      }
      case Verdict.Failure failure when failure.cause() == Cause.EXPECT -> {}
      default -> attempt().end(verdict);
    }
    goOn();
  }

  private void failIfOver() {
    if (ended) {
      attempt()
          .end(
              new Verdict.Failure(
                  "TCP probe failed: the server ended the connection without " + expected(),
                  false,
                  Cause.EXPECT));
    } else if (length == MAX_BYTES) {
      tooMuch();
    }
  }

  private void tooMuch() {
    fail("more than " + MAX_BYTES / 1024 + " KiB without " + expected());
  }

  private void fail(String what) {
    attempt().end(new Verdict.Failure("TCP probe failed: " + what, Cause.EXPECT));
  }

  /** The rule of the present step, never what the server said: that may be a secret. */
  private String expected() {
    return switch (handler.dialog().get(Math.min(step, handler.dialog().size() - 1))) {
      case Step.Expect(BodyRule.Contains(String text)) -> "\"" + shown(text) + "\"";
      case Step.Expect(BodyRule.Matches matches) ->
          "a line that matches \"" + shown(matches.pattern().pattern()) + "\"";
      default -> "the expected answer";
    };
  }

  private static String shown(String text) {
    return ShortText.of(text, LONGEST_SHOWN);
  }

  private Verdict timedOut(Phase phase) {
    if (check != null) {
      return check.timedOut();
    }
    return switch (phase) {
      case RESOLVING, CONNECTING, SECURING -> Verdict.Failure.indefinite(endpoint.timedOut(phase));
      case WAITING, READING ->
          Verdict.Failure.indefinite(endpoint.timedOut(phase) + ", without " + expected());
    };
  }
}
