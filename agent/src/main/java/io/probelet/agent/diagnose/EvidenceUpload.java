package io.probelet.agent.diagnose;

import io.probelet.agent.config.UploadSettings;
import io.probelet.health.Alarm;
import io.probelet.health.RetryBackoff;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.monitor.evidence.EvidenceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Also uploads bundles to a server of the user, one at a time and with retries (ACT-107). Callers
 * do not wait for the upload, and a bundle that the node cannot keep is uploaded too.
 */
public final class EvidenceUpload implements EvidenceStore, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EvidenceUpload.class);

  /** Of one attempt. */
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private static final int MAX_ATTEMPTS = 4;
  private static final RetryBackoff RETRY =
      new RetryBackoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(20), 0.5);

  /** Bundles that wait in memory; of more the oldest gives way. */
  private static final int MAX_WAITING = 2;

  private final EvidenceStore kept;
  private final String node;
  private final Supplier<UploadSettings> settings;
  private final RetryBackoff retry;
  private final RandomGenerator random;
  private final SerialLoop loop =
      SerialLoop.start(
          Threads.MACHINE,
          "evidence-upload",
          MAX_WAITING,
          bug -> LOG.error("internal error in the evidence upload, continuing", bug));
  private final Alarm again = loop.alarm(this::sendAll);
  private volatile CompletableFuture<String> last = CompletableFuture.completedFuture("");

  // Of the loop only.
  private final Deque<Bundle> waiting = new ArrayDeque<>();
  private int failures;

  /** A bundle on its way; {@code ended} gets why it was not taken, or nothing if it was. */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  private record Bundle(String url, String name, byte[] archive, CompletableFuture<String> ended) {}

  /**
   * Creates it.
   *
   * @param kept keeps each bundle on the node as well
   * @param settings where to, asked at each bundle
   * @param random spreads what many nodes try again
   */
  public EvidenceUpload(
      EvidenceStore kept, String node, Supplier<UploadSettings> settings, RandomGenerator random) {
    this(kept, node, settings, RETRY, random);
  }

  /**
   * Creates it with a back-off of its own.
   *
   * @param settings where to, asked at each bundle
   * @param retry how soon a bundle is sent again
   * @param random spreads what many nodes try again
   */
  public EvidenceUpload(
      EvidenceStore kept,
      String node,
      Supplier<UploadSettings> settings,
      RetryBackoff retry,
      RandomGenerator random) {
    this.kept = kept;
    this.node = node;
    this.settings = settings;
    this.retry = retry;
    this.random = random;
  }

  @Override
  public Path keep(String name, byte[] archive) throws IOException {
    settings.get().url().ifPresent(url -> send(url, name, archive)); // first: a disk may hang
    return kept.keep(name, archive);
  }

  private void send(String url, String name, byte[] archive) {
    CompletableFuture<String> ended = new CompletableFuture<>();
    last = ended;
    Bundle bundle = new Bundle(url, name, archive, ended);
    if (!loop.offer(() -> arrived(bundle))) {
      end(bundle, "too many uploads are pending");
    }
  }

  private void arrived(Bundle bundle) {
    waiting.addLast(bundle);
    if (waiting.size() > MAX_WAITING) {
      end(waiting.removeFirst(), "replaced by newer uploads");
      failures = 0;
    }
    if (!again.isSet()) {
      sendAll();
    }
  }

  private void sendAll() {
    loop.requireInLoop();
    while (!waiting.isEmpty()) {
      Bundle next = waiting.getFirst();
      UploadRequest.Answer answer = put(next);
      if (answer.again() && failures + 1 < MAX_ATTEMPTS && !loop.isClosed()) {
        failures++;
        again.set(retry.delay(failures, random));
        return;
      }
      failures = 0;
      waiting.removeFirst();
      end(next, answer.why());
    }
  }

  private UploadRequest.Answer put(Bundle bundle) {
    try {
      return UploadRequest.put(
          bundle.url(), settings.get(), node, bundle.name(), bundle.archive(), TIMEOUT);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return new UploadRequest.Answer("the agent is shutting down", false);
    }
  }

  private static void end(Bundle bundle, String why) {
    if (why.isEmpty()) {
      LOG.info("evidence uploaded evidence={}", bundle.name());
    } else {
      LOG.warn("evidence not uploaded evidence={} reason=\"{}\"", bundle.name(), why);
    }
    bundle.ended().complete(why);
  }

  /** {@return gets why the last bundle was not taken; nothing if it was, or there was none} */
  public CompletableFuture<String> last() {
    return last;
  }

  /** Drops pending uploads. */
  @Override
  public void close() {
    loop.close();
  }
}
