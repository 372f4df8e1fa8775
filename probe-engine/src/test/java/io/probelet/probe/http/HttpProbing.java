package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.net.Probing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** HTTP probes of loopback, with what a test does not care about filled in. */
final class HttpProbing implements AfterAllCallback {
  static final String USER_AGENT = "probelet/1.2.3";

  private final Probing probing = new Probing();
  private final HttpProber prober = new HttpProber(probing.dialer(), USER_AGENT);

  Probing probing() {
    return probing;
  }

  /** GET on plain HTTP. */
  static HttpGet get(int port, String path, HttpHeader... headers) {
    return new HttpGet(
        new Port.Numeric(port),
        null,
        path,
        Scheme.HTTP,
        Arrays.asList(headers),
        TlsOptions.INSECURE,
        HttpExpectation.KUBELET);
  }

  static HttpGet get(int port, Scheme scheme, HttpExpectation expectation) {
    return new HttpGet(
        new Port.Numeric(port), null, "/", scheme, List.of(), TlsOptions.INSECURE, expectation);
  }

  Verdict verdict(HttpGet handler) {
    return probe(handler, Probing.TIMEOUT).verdict();
  }

  ProbeOutcome probe(HttpGet handler, Duration timeout) {
    return probing.outcome(done -> prober.probe(handler, Probing.target(), timeout, done));
  }

  /** The same, with an outcome that must come within the timeout and its grace. */
  ProbeOutcome probeInTime(HttpGet handler, Duration timeout) {
    return probing.outcomeInTime(
        timeout, done -> prober.probe(handler, Probing.target(), timeout, done));
  }

  /** The same against a pod that may send no more than so many requests beyond the first. */
  Verdict verdict(HttpGet handler, int further) {
    int[] left = {further};
    ProbeTarget plain = Probing.target();
    ProbeTarget charged =
        new ProbeTarget(
            plain.pod(),
            plain.container(),
            plain.containerId(),
            plain.podIp(),
            () ->
                left[0]-- > 0
                    ? Optional.empty()
                    : Optional.of(new ProberError(Verdict.Reason.POD_BUDGET, "no more")));
    return probing.outcome(done -> prober.probe(handler, charged, Probing.TIMEOUT, done)).verdict();
  }

  HttpProber prober() {
    return prober;
  }

  /** A response with a body and its length. */
  static String response(int status, String body, String... headers) {
    StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Text\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    return text + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    probing.close();
  }
}
