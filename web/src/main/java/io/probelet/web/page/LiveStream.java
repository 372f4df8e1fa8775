package io.probelet.web.page;

import io.probelet.health.TimeSource;
import io.probelet.monitor.source.Pause;
import io.probelet.web.http.AnswerFailure;
import io.probelet.web.http.Resource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a page's fragments as they change, as server-sent events, to a few viewers at once. Without
 * viewers nothing runs. A slow viewer gets fewer updates, each with the state at that time.
 */
public final class LiveStream implements Resource {
  /** How many may watch one page at once. */
  static final int MAX_VIEWERS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);
  private static final String EVENTS = "text/event-stream; charset=utf-8";
  private static final Duration EVERY = Duration.ofSeconds(1);

  /**
   * How much longer than its last round a viewer rests: two thirds of a hundredth of a core are
   * spent in rounds, for what other threads do for them, sending above all, is not in their time.
   */
  private static final int REST = 150;

  /** How many times longer than usual it rests at most. */
  private static final int MAX_LATER = 3;

  /** A browser asks again at once; so no viewer that is forgotten stays for ever. */
  private static final Duration MAX_VIEW = Duration.ofHours(1);

  private final Source source;
  private final TimeSource time;
  private final Duration every;
  private final Pause pause = new Pause();
  private final Semaphore places = new Semaphore(MAX_VIEWERS);

  /** Where fragments come from. Called on virtual threads, by several at once; may block. */
  @FunctionalInterface
  public interface Source {
    /**
     * {@return the page's fragments as they are now, in order}
     *
     * @throws Resource.BadRequest if a parameter is invalid
     * @throws Exception if they cannot be had; viewers are shown the message
     */
    List<Fragment> fragments(Map<String, List<String>> query) throws Exception;
  }

  /**
   * Creates a stream without viewers.
   *
   * @param source asked once a second by each viewer, every third second if it takes long
   */
  public LiveStream(Source source, TimeSource time) {
    this(source, time, EVERY);
  }

  /** The same at another rate. */
  LiveStream(Source source, TimeSource time, Duration every) {
    this.source = source;
    this.time = time;
    this.every = every;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    if (places.availablePermits() == 0) {
      return Answer.of(
          503, TEXT, MAX_VIEWERS + " viewers are watching this page; reload it instead\n");
    }
    List<Fragment> first = source.fragments(query);
    LiveBody body = out -> send(query, first, out);
    return new Answer(200, EVENTS, body);
  }

  /** {@return how many watch it} */
  int viewers() {
    return MAX_VIEWERS - places.availablePermits();
  }

  private void send(Map<String, List<String>> query, List<Fragment> first, OutputStream out)
      throws IOException {
    LiveViewer viewer = new LiveViewer(out, time);
    if (!places.tryAcquire()) {
      viewer.full();
      return;
    }
    try {
      long begin = time.nanoTime();
      viewer.show(first);
      Duration wait = every;
      while (pause.lasts(wait) && time.nanoTime() - begin < MAX_VIEW.toNanos()) {
        long round = time.nanoTime();
        sendNext(query, viewer);
        wait = waitAfter(Duration.ofNanos(time.nanoTime() - round), every);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server is stopping");
    } finally {
      places.release();
    }
  }

  /** What takes long is done less often, so that a viewer costs about a hundredth of a core. */
  static Duration waitAfter(Duration round, Duration every) {
    Duration rest = round.multipliedBy(REST);
    Duration longest = every.multipliedBy(MAX_LATER);
    if (rest.compareTo(every) < 0) {
      return every;
    }
    return rest.compareTo(longest) < 0 ? rest : longest;
  }

  private void sendNext(Map<String, List<String>> query, LiveViewer viewer)
      throws IOException, InterruptedException {
    List<Fragment> fragments;
    try {
      fragments = source.fragments(query);
    } catch (InterruptedException stopping) {
      throw stopping;
    } catch (Exception failure) {
      LOG.debug("page update failed", failure);
      viewer.trouble(AnswerFailure.of(failure));
      return;
    }
    viewer.show(fragments);
  }
}
