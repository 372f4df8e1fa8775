package io.probelet.probe.http;

import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.ProbeTimings;
import io.probelet.probe.Probers;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.net.Aim;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Sends GET and judges the answer (H-1 to H-7). */
public final class HttpProber implements Probers.For<HttpGet> {
  private final Dialer dialer;
  private final String userAgent;
  private final RequestHead plain;

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   * @param userAgent sent unless a probe gives its own (H-2); empty sends none
   */
  public HttpProber(Dialer dialer, String userAgent) {
    this.dialer = dialer;
    this.userAgent = userAgent;
    this.plain = RequestHead.of(List.of(), userAgent);
  }

  @Override
  public void probe(
      HttpGet handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (Aim.at(target, handler.port(), handler.host())) {
      case Aim.Astray astray -> done.accept(astray.outcome());
      case Endpoint endpoint when !Authority.isHost(endpoint.host()) ->
          done.accept(
              new ProbeOutcome(
                  new Verdict.ProberError(
                      Reason.BAD_TARGET, "no host: \"" + Quoted.of(endpoint.host()) + "\""),
                  ProbeTimings.of(0)));
      case Endpoint endpoint -> {
        RequestHead head =
            handler.headers().isEmpty() ? plain : RequestHead.of(handler.headers(), userAgent);
        ProbeUrl url = ProbeUrl.of(handler.scheme(), endpoint, handler.path());
        new HttpAttempt(dialer, handler, url, head, timeout, done).start();
      }
    }
  }
}
