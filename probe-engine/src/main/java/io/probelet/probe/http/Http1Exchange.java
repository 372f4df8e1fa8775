package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.net.Attempt;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.net.NetFailure;
import io.probelet.probe.net.ProbeConnection;
import java.util.Objects;

/** One request and its answer in HTTP/1.1. */
final class Http1Exchange implements ProbeConnection.Listener {
  private final Attempt attempt;
  private final ProbeUrl url;
  private final Method method;
  private final RequestHead head;
  private final HttpResponse.Listener listener;
  private final ResponseParser parser;
  private boolean headReported;

  /** Set once the listener wants nothing more of this exchange. */
  private boolean closed;

  private boolean over;

  Http1Exchange(
      Attempt attempt,
      Method method,
      ProbeUrl url,
      RequestHead head,
      HttpExpectation expected,
      HttpResponse.Listener listener) {
    this.attempt = attempt;
    this.url = url;
    this.method = method;
    this.head = head;
    this.parser = new ResponseParser(expected, method == Method.HEAD);
    this.listener = listener;
  }

  @Override
  public void connected(ProbeConnection connection) {
    connection.exchange(this);
    connection.send(head.request(method, url));
  }

  @Override
  public void received(byte[] bytes, int length) {
    if (isOver()) {
      return;
    }
    if (attempt.phase() == Phase.WAITING) {
      attempt.enter(Phase.READING);
    }
    parser.feed(bytes, 0, length);
    report();
  }

  @Override
  public void ended() {
    if (!isOver()) {
      closed = true;
      parser.end();
      report();
    }
  }

  @Override
  public void failed(NetFailure failure) {
    if (!isOver()) {
      over = true;
      listener.failed(failure);
    }
  }

  /** Later data on the connection belongs to no request. */
  private boolean isOver() {
    return over || attempt.over();
  }

  private void report() {
    HttpResponse answer = parser.answer();
    if (answer != null && !headReported) {
      headReported = true;
      if (!listener.head(answer)) {
        over = true;
        return;
      }
    }
    String fault = parser.fault();
    if (fault != null) {
      over = true;
      listener.failed(new NetFailure(null, fault, !closed));
    } else if (parser.complete()) {
      over = true;
      listener.complete(Objects.requireNonNull(answer));
    }
  }
}
