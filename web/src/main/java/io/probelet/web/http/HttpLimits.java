package io.probelet.web.http;

import java.time.Duration;

/**
 * What a server grants to strangers.
 *
 * @param waiting connections that may wait for their client at once; one more ends another
 * @param answered connections that may be answered at once, those that ask for health apart
 * @param headerBytes in one request's headers; more is answered by 431
 * @param bodyBytes in one request; more is answered by 413
 * @param timeouts how long things may take
 * @param keepAlive whether a connection may carry one request after the other
 */
record HttpLimits(
    int waiting,
    int answered,
    int headerBytes,
    int bodyBytes,
    Timeouts timeouts,
    boolean keepAlive) {

  /**
   * How long things may take. One of these runs at every moment of a connection.
   *
   * @param head until the first request has come as far as its headers, TLS included
   * @param body from there until the request's end
   * @param answer until the answer has been made and read
   * @param idle until the next request has come as far as its headers
   */
  record Timeouts(Duration head, Duration body, Duration answer, Duration idle) {}

  /** Of status, metrics and API. */
  static final HttpLimits OF_STATUS =
      new HttpLimits(
          64,
          64,
          8 * 1024,
          0,
          new Timeouts(
              Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(25), Duration.ZERO),
          false);

  /** Of an operator's own pages: as of status, but some answers are played first, for 30 s. */
  static final HttpLimits OF_PAGES =
      new HttpLimits(
          64,
          64,
          8 * 1024,
          0,
          new Timeouts(
              Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(45), Duration.ZERO),
          false);

  /** Of the API server's questions to a webhook, to which it wants an answer within seconds. */
  static final HttpLimits OF_ADMISSION =
      new HttpLimits(
          64,
          64,
          16 * 1024,
          256 * 1024,
          new Timeouts(
              Duration.ofSeconds(10), // 5 of them for the handshake
              Duration.ofSeconds(5),
              Duration.ofSeconds(10),
              Duration.ofSeconds(30)),
          true);

  /** Of scrapes, which come on the same few connections again and again. */
  static final HttpLimits OF_SCRAPES =
      new HttpLimits(
          48,
          32,
          16 * 1024, // tokens of several kilobytes are in use
          0,
          new Timeouts(
              Duration.ofSeconds(10), // 5 of them for the handshake
              Duration.ofSeconds(5),
              Duration.ofSeconds(25),
              Duration.ofSeconds(90)),
          true);

  /** Of a probe server: a few clients, each with a request that waits for events. */
  static final HttpLimits OF_PROBE_SERVER =
      new HttpLimits(
          16,
          16,
          8 * 1024,
          1024 * 1024,
          new Timeouts(
              Duration.ofSeconds(5),
              Duration.ofSeconds(10),
              Duration.ofSeconds(40), // 30 of them for events
              Duration.ofSeconds(60)),
          true);

  /** {@return the same with other times} */
  HttpLimits with(Timeouts others) {
    return new HttpLimits(waiting, answered, headerBytes, bodyBytes, others, keepAlive);
  }
}
