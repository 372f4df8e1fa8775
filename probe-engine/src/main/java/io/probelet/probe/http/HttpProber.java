package io.probelet.probe.http;

import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.http.ProbeUrl.Authority;
import io.probelet.probe.net.Destination;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.Endpoint;
import io.probelet.probe.rule.BodyRuleThreads;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends GET and checks the answer (H-1 to H-7). */
public final class HttpProber implements Prober<HttpGet> {
  private final Dialer dialer;
  private final Supplier<String> userAgent;
  private final HeaderValues headerValues;
  private final BodyRuleThreads bodyRules;
  private String plainAgent;
  private RequestHead plain;

  /**
   * Creates a prober for one loop that reads files and checks bodies on threads of its own.
   *
   * @param dialer makes the connections
   * @param userAgent sent unless a probe gives its own (H-2); empty sends none
   */
  public HttpProber(Dialer dialer, String userAgent) {
    this(
        dialer,
        () -> userAgent,
        new HeaderValues(new FileThreads(), dialer.loop().time()),
        new BodyRuleThreads());
  }

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   * @param userAgent sent unless a probe gives its own (H-2), asked for each probe; empty sends
   *     none
   * @param headerValues finds the values of headers; may be shared between loops
   * @param bodyRules checks bodies against rules; may be shared between loops
   */
  public HttpProber(
      Dialer dialer,
      Supplier<String> userAgent,
      HeaderValues headerValues,
      BodyRuleThreads bodyRules) {
    this.dialer = dialer;
    this.userAgent = userAgent;
    this.headerValues = headerValues;
    this.bodyRules = bodyRules;
    this.plainAgent = userAgent.get();
    this.plain = RequestHead.of(List.of(), plainAgent);
  }

  private RequestHead plain(String agent) {
    if (!agent.equals(plainAgent)) {
      plainAgent = agent;
      plain = RequestHead.of(List.of(), agent);
    }
    return plain;
  }

  @Override
  public void probe(
      HttpGet given, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    HttpGet handler = given.protocol() == Protocol.WEBSOCKET ? WebSocketHandshake.of(given) : given;
    switch (Destination.at(target, handler.port(), handler.host())) {
      case Destination.Unknown unknown -> done.accept(unknown.outcome());
      case Endpoint endpoint when !Authority.isHost(endpoint.host()) ->
          done.accept(
              new ProbeOutcome(
                  new Verdict.ProberError(
                      Reason.BAD_TARGET, "no host: \"" + Quoted.of(endpoint.host()) + "\""),
                  ProbeTimings.of(0)));
      case Endpoint endpoint -> {
        ProbeUrl url = ProbeUrl.of(handler.scheme(), endpoint, handler.path());
        HttpAttempt attempt =
            new HttpAttempt(dialer, bodyRules, target, handler, url, timeout, done);
        String agent = userAgent.get();
        if (handler.headers().isEmpty()) {
          attempt.start(plain(agent));
        } else if (HeaderValues.known(handler.headers())) {
          attempt.start(RequestHead.of(HeaderValues.literal(handler.headers()), agent));
        } else {
          attempt.start(
              headerValues
                  .of(handler.headers())
                  .thenApply(fields -> RequestHead.of(fields, agent)));
        }
      }
    }
  }
}
