package io.probelet.probe.net;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.rule.BodyRuleThreads;
import io.probelet.probe.rule.TextRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A datagram to a target, and the first that it sends back (H-16). */
final class UdpExchange implements ProbeConnection.Listener {
  private final Dialer dialer;
  private final BodyRuleThreads rules;
  private final PodRef pod;
  private final UdpSocket handler;
  private final Endpoint endpoint;
  private @Nullable Attempt attempt;
  private BodyRuleThreads.@Nullable BodyCheck check;

  UdpExchange(
      Dialer dialer, BodyRuleThreads rules, PodRef pod, UdpSocket handler, Endpoint endpoint) {
    this.dialer = dialer;
    this.rules = rules;
    this.pod = pod;
    this.handler = handler;
    this.endpoint = endpoint;
  }

  void begin(Duration timeout, Consumer<ProbeOutcome> done) {
    attempt = Attempt.begin(dialer.loop(), timeout, this::timedOut, done);
    dialer.openDatagram(attempt(), endpoint, this);
  }

  private Attempt attempt() {
    return Objects.requireNonNull(attempt, "not begun");
  }

  @Override
  public void connected(ProbeConnection connection) {
    connection.exchange(this);
    connection.send(handler.send().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void received(byte[] bytes, int length) {
    if (attempt().over() || check != null) {
      return; // the first datagram decides
    }
    attempt().enter(Phase.READING);
    int kept = Math.min(length, Verdict.OUTPUT_LIMIT);
    String answer = new String(bytes, 0, kept, StandardCharsets.UTF_8);
    if (handler.rules().isEmpty()) {
      attempt().end(new Verdict.Success(answer));
      return;
    }
    TextRules text = new TextRules("answer", answer, kept < length, handler.rules(), Cause.EXPECT);
    BodyRuleThreads.BodyCheck begun = rules.check(pod, "UDP", List.of(text), answer);
    check = begun;
    dialer.loop().await(attempt(), begun.verdict(), attempt()::end);
  }

  @Override
  public void failed(NetFailure failure) {
    attempt().end(failure.verdict(""));
  }

  private Verdict timedOut(Phase phase) {
    return check == null
        ? Verdict.Failure.indefinite(
            switch (phase) {
              case RESOLVING, CONNECTING, SECURING -> endpoint.timedOut(phase);
              case WAITING, READING -> "read udp " + endpoint + ": i/o timeout";
            })
        : check.timedOut();
  }
}
