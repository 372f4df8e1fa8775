package io.probelet.kube;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The faults of a fake API server. */
public final class RequestFaults {
  private static final int UNAUTHORIZED = 401;

  /**
   * A response defined by the test.
   *
   * @param code 0 for no response: the connection is closed
   * @param open whether the body continues afterwards
   */
  record Canned(int code, String retryAfter, String body, boolean open) {
    static Canned failure(int code, String message, String retryAfter) {
      return new Canned(code, retryAfter, status(code, message) + "\n", false);
    }
  }

  /** The path ending of writes that fail; null for none. */
  private record Refusal(@Nullable String ending, Canned answer) {}

  /** The requests that hang, and until when. */
  private record Hang(String text, CountDownLatch over) {}

  private final Deque<Canned> next = new ConcurrentLinkedDeque<>();
  private final Deque<Canned> nextWrites = new ConcurrentLinkedDeque<>();
  private final AtomicInteger hanging = new AtomicInteger();
  private volatile Refusal readRefusal = new Refusal(null, Canned.failure(0, "", ""));
  private volatile Refusal refusal = new Refusal(null, Canned.failure(0, "", ""));
  private volatile Hang hang = new Hang("", new CountDownLatch(0));
  private volatile String token = "";
  private volatile boolean away;

  RequestFaults() {}

  /** An error as the API has it. */
  static String status(int code, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("kind", "Status")
        .put("status", "Failure")
        .put("code", code)
        .put("message", message)
        .toString();
  }

  /** Fails the next request. */
  public void failNext(int code, String message, String retryAfter) {
    next.add(Canned.failure(code, message, retryAfter));
  }

  /** Answers the next request with a given response; an open one does not end. */
  public void answerNext(int code, String body, boolean open) {
    next.add(new Canned(code, "", body, open));
  }

  /** Fails the next write. */
  public void failNextWrite(int code, String message, String retryAfter) {
    nextWrites.add(Canned.failure(code, message, retryAfter));
  }

  /** From now on fails writes to paths with this ending; null ends it. */
  public void refuse(@Nullable String ending, int code, String message) {
    refusal = new Refusal(ending, Canned.failure(code, message, ""));
  }

  /** From now on fails reads whose path and query contain the text; null ends it. */
  public void refuseReads(@Nullable String text, int code, String message) {
    readRefusal = new Refusal(text, Canned.failure(code, message, ""));
  }

  /** From now on requires this token. */
  public void demand(String newToken) {
    token = newToken;
  }

  /** Starts or stops closing each connection without a response. */
  public void away(boolean gone) {
    away = gone;
  }

  /** Hangs requests whose path and query contain the text, until released. */
  public void hangOn(String text) {
    hang = new Hang(text, new CountDownLatch(1));
  }

  /** Releases hanging requests, and stops hanging new ones. */
  public void letGo() {
    Hang before = hang;
    hang = new Hang("", new CountDownLatch(0));
    before.over().countDown();
  }

  /** Whether a request hangs. */
  public boolean hangs() {
    return hanging.get() > 0;
  }

  /** The faulty response; null to process the request, perhaps after a wait. */
  @Nullable Canned instead(FakeApiServer.Request request, String authorization) {
    if (away) {
      return new Canned(0, "", "", false);
    }
    Canned answer = next.poll();
    if (answer == null) {
      hangIfTold(request.uri().toString());
    }
    if (!token.isEmpty() && !authorization.equals("Bearer " + token)) {
      return Canned.failure(UNAUTHORIZED, "Unauthorized", "");
    }
    if (answer == null && request.isRead()) {
      Refusal reads = readRefusal;
      return reads.ending() != null && request.uri().toString().contains(reads.ending())
          ? reads.answer()
          : null;
    }
    if (answer != null) {
      return answer;
    }
    answer = nextWrites.poll();
    Refusal refused = refusal;
    boolean meant = refused.ending() != null && request.path().endsWith(refused.ending());
    return answer == null && meant ? refused.answer() : answer;
  }

  private void hangIfTold(String uri) {
    Hang now = hang;
    if (uri.contains(now.text())) {
      hanging.incrementAndGet();
      try {
        now.over().await();
      } catch (InterruptedException over) {
        Thread.currentThread().interrupt();
      }
      hanging.decrementAndGet();
    }
  }
}
