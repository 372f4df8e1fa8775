package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.HttpExpectation.HeaderRule;
import io.probelet.probe.HttpExpectation.ResponseCondition;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.http.HttpResponse.BodyHead;
import io.probelet.probe.net.Attempt;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.NetFailure;
import io.probelet.probe.net.ProbeConnection;
import io.probelet.probe.net.Tls;
import io.probelet.probe.rule.BodyRuleThreads;
import io.probelet.probe.rule.TextRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One attempt of an HTTP probe: a request, and more while redirects lead on (H-4). */
final class HttpAttempt implements ProbeConnection.Listener, HttpResponse.Listener {
  /** The tenth redirect is not followed, as in Go. */
  private static final int MAX_REQUESTS = 10;

  /** How often a request is sent again that a server has not processed. */
  private static final int MAX_REPEATED = 10;

  // H-7: what Go's client offers
  private static final List<String> PROTOCOLS = List.of(Tls.H2, Tls.HTTP_1_1);

  /** A WebSocket in HTTP/2 is another protocol. */
  private static final List<String> ONLY_HTTP_1_1 = List.of(Tls.HTTP_1_1);

  private final Dialer dialer;
  private final BodyRuleThreads bodyRules;
  private final ProbeTarget target;
  private final HttpGet handler;
  private final Attempt attempt;
  private RequestHead head = RequestHead.NONE;

  /** The head of the present request. */
  private RequestHead current = RequestHead.NONE;

  private ProbeUrl url;
  private Method method;
  private int requests = 1;
  private int repeated;
  private @Nullable HttpResponse answer;
  private BodyRuleThreads.@Nullable BodyCheck bodyCheck;

  HttpAttempt(
      Dialer dialer,
      BodyRuleThreads bodyRules,
      ProbeTarget target,
      HttpGet handler,
      ProbeUrl url,
      Duration timeout,
      Consumer<ProbeOutcome> done) {
    this.dialer = dialer;
    this.bodyRules = bodyRules;
    this.target = target;
    this.handler = handler;
    this.url = url;
    this.method = handler.method();
    this.attempt = Attempt.begin(dialer.loop(), timeout, new LateAnswer(), done);
  }

  /** Begins once the head is there, which may need files to be read. */
  void start(CompletableFuture<RequestHead> coming) {
    attempt.prepare();
    dialer.loop().await(attempt, coming, this::start);
  }

  void start(RequestHead known) {
    head = known;
    current = known;
    if (head.broken() == null) {
      request();
    } else {
      attempt.end(new Verdict.Failure(context() + head.broken(), Verdict.Cause.REQUEST));
    }
  }

  private void request() {
    answer = null;
    if (url.scheme() == Scheme.HTTPS) {
      boolean webSocket = handler.protocol() == Protocol.WEBSOCKET;
      List<String> offered = webSocket ? ONLY_HTTP_1_1 : PROTOCOLS;
      dialer.dial(attempt, url.endpoint(), new Tls(handler.tls(), offered), this);
    } else if (handler.protocol() == Protocol.HTTP2) {
      dialer.dial(attempt, url.endpoint(), null, this);
    } else {
      dialer.open(attempt, url.endpoint(), this);
    }
  }

  @Override
  public void connected(ProbeConnection connection) {
    HttpExpectation expected = handler.expectation();
    boolean knownBefore = url.scheme() == Scheme.HTTP && handler.protocol() == Protocol.HTTP2;
    if (knownBefore || connection.protocol().equals(Tls.H2)) {
      new Http2Exchange(attempt, method, url, expected, this).start(connection.channel(), current);
    } else {
      new Http1Exchange(attempt, method, url, current, expected, this).connected(connection);
    }
  }

  @Override
  public boolean head(HttpResponse begun) {
    answer = begun;
    HttpExpectation expected = handler.expectation();
    boolean unix = url.endpoint().unixSocket() != null; // H-18: a Location leads elsewhere
    if (unix || !begun.redirects() || expected.statuses().contains(begun.status())) {
      return wantsBody();
    }
    return switch (url.follow(String.valueOf(begun.location()))) {
      case ProbeUrl.Next.OtherHost ignored -> wantsBody();
      case ProbeUrl.Next.Broken broken -> {
        fail(broken.why());
        yield false;
      }
      case ProbeUrl.Next.Follow ignored when requests == MAX_REQUESTS -> {
        String last = Quoted.of(String.valueOf(begun.location()));
        attempt.end(new Verdict.Failure(verb() + " \"" + last + "\": stopped after 10 redirects"));
        yield false;
      }
      case ProbeUrl.Next.Follow follow -> {
        // as in Go: these two send the same request again
        if (begun.status() != 307 && begun.status() != 308 && method == Method.POST) {
          method = Method.GET;
        }
        follow(follow.url(), follow.absolute());
        yield false;
      }
    };
  }

  /** Where any answer will do (D-7), its head decides. */
  private boolean wantsBody() {
    boolean wants = !handler.expectation().anyAnswer();
    if (!wants) {
      attempt.end(new Verdict.Success(""));
    }
    return wants;
  }

  /**
   * Goes on to another URL, as Go does: a Host of the probe's own holds for relative ones only.
   * W-13: each redirect that is followed is charged to the pod.
   */
  private void follow(ProbeUrl next, boolean absolute) {
    String own = current.host();
    boolean kept = own != null && !own.equals(url.authority()) && !absolute;
    current = head.redirected(kept ? own : null, url.refererOf(next), next.authorization());
    url = next;
    requests++;
    again();
  }

  private void again() {
    Optional<ProberError> refused = target.further().charge();
    if (refused.isPresent()) {
      attempt.end(refused.get());
    } else {
      request();
    }
  }

  @Override
  public void complete(HttpResponse complete) {
    Verdict verdict = HttpVerdict.of(complete, handler.expectation());
    HttpExpectation expected = handler.expectation();
    if (!verdict.healthy() || (expected.headers().isEmpty() && !expected.readsBody())) {
      attempt.end(verdict);
      return;
    }
    List<TextRules> texts = new ArrayList<>();
    String missing = addRules(complete, texts);
    if (missing != null) {
      String broken = "HTTP probe failed: header " + missing + " is missing";
      attempt.end(new Verdict.Failure(broken, Cause.EXPECT));
      return;
    }
    if (texts.isEmpty()) {
      attempt.end(verdict);
      return;
    }
    bodyCheck = bodyRules.check(target.pod(), "HTTP", texts, complete.body().text());
    dialer.loop().await(attempt, bodyCheck.verdict(), attempt::end);
  }

  /** Returns a header that is missing; null for none. */
  private @Nullable String addRules(HttpResponse complete, List<TextRules> texts) {
    HttpExpectation expected = handler.expectation();
    for (HeaderRule each : expected.headers()) {
      String value = complete.headers().get(each.name());
      BodyRule rule = each.rule();
      if (value == null) {
        return each.name();
      }
      if (rule != null) {
        texts.add(
            new TextRules("header " + each.name(), value, false, List.of(rule), Cause.EXPECT));
      }
    }
    if (!expected.body().isEmpty()) {
      BodyHead body = complete.body();
      texts.add(new TextRules("body", body.text(), body.full(), expected.body(), Cause.BODY));
    }
    ResponseCondition condition = expected.condition();
    if (condition != null) {
      BodyHead body = complete.body();
      BodyRule complies =
          new BodyRule.Complies(condition, complete.status(), complete.headers(), attempt.phases());
      texts.add(
          new TextRules("response", body.text(), body.full(), List.of(complies), Cause.EXPECT));
    }
    return null;
  }

  /** Go asks again without end; ten times show as much. */
  @Override
  public void unprocessed(NetFailure failure) {
    if (++repeated > MAX_REPEATED) {
      failed(failure);
    } else {
      again();
    }
  }

  @Override
  public void failed(NetFailure failure) {
    Verdict verdict = failure.verdict(context());
    HttpResponse begun = answer;
    attempt.end(begun == null ? verdict : brokenOff(begun, failure.message(), verdict));
  }

  private final class LateAnswer implements Function<Phase, Verdict> {
    @Override
    public Verdict apply(Phase phase) {
      return timedOut(phase);
    }
  }

  private Verdict timedOut(Phase phase) {
    if (bodyCheck != null) {
      return bodyCheck.timedOut();
    }
    HttpResponse begun = answer;
    if (begun != null) {
      String stalled =
          "context deadline exceeded (Client.Timeout or context cancellation while reading body)";
      return brokenOff(begun, stalled, Verdict.Failure.indefinite(context() + stalled));
    }
    String what =
        switch (phase) {
          case RESOLVING, CONNECTING, SECURING -> url.endpoint().timedOut(phase);
          case WAITING, READING ->
              "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
        };
    return Verdict.Failure.indefinite(context() + what);
  }

  /**
   * Decides on an answer whose body could not be read. A kubelet discards it, whatever its status.
   * Rules for the body are ours, and a body that cannot be read does not comply with them (H-5).
   */
  private Verdict brokenOff(HttpResponse begun, String why, Verdict failure) {
    if (!handler.expectation().readsBody()) {
      return failure instanceof ProberError
          ? failure
          : new ProberError(
              Reason.INCOMPLETE_ANSWER,
              context() + "status " + begun.status() + ", but its body could not be read: " + why);
    }
    Verdict hopeless = HttpVerdict.failureByStatus(begun.status(), handler.expectation());
    return hopeless == null ? failure : hopeless;
  }

  private void fail(String what) {
    attempt.end(new Verdict.Failure(context() + what));
  }

  private String context() {
    return verb() + " \"" + url + "\": ";
  }

  /** Methods as Go's errors write them. */
  private String verb() {
    return switch (method) {
      case GET -> "Get";
      case HEAD -> "Head";
      case POST -> "Post";
    };
  }
}
