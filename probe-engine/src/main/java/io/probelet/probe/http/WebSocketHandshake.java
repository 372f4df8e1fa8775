package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.HttpExpectation.HeaderRule;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeHandler.HttpGet;
import java.util.ArrayList;
import java.util.List;

/**
 * The opening of a WebSocket (RFC 6455): a GET whose answer has status 101 and accepts the key
 * (H-17). The key is the one of the RFC: it proves that the server speaks the protocol, and nothing
 * is sent afterwards that a cache could mistake.
 */
final class WebSocketHandshake {
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
  private static final String ACCEPTED = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

  private static final List<HttpHeader> SENT =
      List.of(
          new HttpHeader("Connection", "Upgrade"),
          new HttpHeader("Upgrade", "websocket"),
          new HttpHeader("Sec-WebSocket-Version", "13"),
          new HttpHeader("Sec-WebSocket-Key", KEY));

  private WebSocketHandshake() {}

  /** {@return the request that opens a WebSocket, with the probe's own headers and rules} */
  static HttpGet of(HttpGet handler) {
    List<HttpHeader> headers = new ArrayList<>(handler.headers());
    headers.addAll(SENT);
    List<HeaderRule> rules = new ArrayList<>();
    rules.add(new HeaderRule("sec-websocket-accept", new BodyRule.Contains(ACCEPTED)));
    rules.addAll(handler.expectation().headers());
    return handler
        .with(headers)
        .with(new HttpExpectation(List.of(SWITCHING_PROTOCOLS), rules, List.of()));
  }
}
