package io.probelet.nodehealth.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.TreeNode;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.api.Answer;
import io.probelet.nodehealth.api.Answer.Done;
import io.probelet.nodehealth.api.Answer.Refused;
import io.probelet.nodehealth.api.Answer.Unanswered;
import io.probelet.nodehealth.api.ApiServer;
import io.probelet.nodehealth.wire.ObjectJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all objects of one kind, through lost connections and expired versions, until it is
 * closed.
 *
 * @param <T> what is kept of an object
 */
public final class Watch<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Few enough for a page of nodes to be read in a small heap. */
  private static final int PAGE = 200;

  /** An API server that has nothing else to say sends a bookmark about every minute. */
  private static final Duration SILENCE = Duration.ofSeconds(150);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final ApiServer api;
  private final String kind;
  private final String collection;
  private final Format<T> format;
  private final Observer<T> observer;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Map<String, Item<T>> known = new HashMap<>();
  private final Thread thread;
  private String version = "";
  private boolean expired;
  private boolean heard;
  private Duration pause = FIRST_PAUSE;
  private String lastTrouble = "";

  private Watch(
      ApiServer api, String kind, String collection, Format<T> format, Observer<T> observer) {
    this.api = api;
    this.kind = kind;
    this.collection = collection;
    this.format = format;
    this.observer = observer;
    this.thread = Thread.ofVirtual().name("watch-" + kind).unstarted(this::run);
  }

  /**
   * Begins.
   *
   * @param api where the objects are
   * @param kind what they are called in the log
   * @param collection the path of their collection
   * @param format how to read them
   * @param observer told about them
   * @param <T> what is kept of one
   * @return to be closed
   */
  public static <T> Watch<T> start(
      ApiServer api, String kind, String collection, Format<T> format, Observer<T> observer) {
    Watch<T> watch = new Watch<>(api, kind, collection, format, observer);
    watch.thread.start();
    return watch;
  }

  /** Stops; a call of the observer that is under way is not waited for. */
  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
  }

  private void run() {
    try {
      while (closing.getCount() > 0) {
        Answer answer = list();
        if (answer instanceof Done) {
          observer.listed();
          answer = follow();
        }
        if (answer.isNotFound()) {
          observer.unserved();
        }
        rest(answer);
      }
    } catch (InterruptedException stop) {
      // closed
    } catch (RuntimeException mistake) {
      LOG.error("kind={} is not followed any more, after a mistake of ours", kind, mistake);
    }
  }

  /** Tells all there are, then those that are there no more. */
  private Answer list() throws InterruptedException {
    expired = false;
    Set<String> there = new HashSet<>();
    String next = "";
    do {
      ByteArrayOutputStream page = new ByteArrayOutputStream();
      String from = next.isEmpty() ? "" : "&continue=" + next;
      Answer answer =
          api.stream(
              collection + "?limit=" + PAGE + from,
              SILENCE,
              bytes -> {
                byte[] piece = new byte[bytes.remaining()];
                bytes.get(piece);
                page.writeBytes(piece);
              });
      if (!(answer instanceof Done)) {
        return answer;
      }
      try {
        next = readPage(page.toByteArray(), there);
      } catch (IOException cut) {
        return new Unanswered("an answer that is no list: " + inShort(cut));
      }
    } while (!next.isEmpty());
    for (Item<T> item : List.copyOf(known.values())) {
      if (!there.contains(key(item))) {
        known.remove(key(item));
        observer.gone(item);
      }
    }
    return new Done(JSON.missingNode());
  }

  /** {@return where the next page begins; empty after the last} */
  private String readPage(byte[] bytes, Set<String> there) throws IOException {
    String next = "";
    try (JsonParser page = JSON.createParser(bytes)) {
      page.nextToken();
      while (page.nextToken() == JsonToken.FIELD_NAME) {
        String field = page.currentName();
        JsonToken value = page.nextToken();
        if (field.equals("metadata")) {
          JsonNode metadata = page.readValueAsTree();
          version = metadata.path("resourceVersion").asText();
          next = metadata.path("continue").asText("");
        } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
          int depth = page.getParsingContext().getNestingDepth();
          while (page.nextToken() != JsonToken.END_ARRAY) {
            Item<T> item = format.read(page, this::before);
            while (page.getParsingContext().getNestingDepth() > depth) {
              page.nextToken();
            }
            there.add(key(item));
            Item<T> before = remember(item);
            if (before != null && !before.uid().equals(item.uid())) {
              observer.gone(before);
            }
            observer.changed(item);
          }
        } else {
          page.skipChildren();
        }
      }
    }
    return next;
  }

  /** Keeps up with changes until the version has expired or the API server refuses. */
  private Answer follow() throws InterruptedException {
    while (true) {
      heard = false;
      Lines lines = new Lines(this::readEvent);
      int seconds = ThreadLocalRandom.current().nextInt(300, 600);
      Answer answer =
          api.stream(
              "%s?watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
                  .formatted(collection, version, seconds),
              SILENCE,
              lines::take);
      if (expired || answer instanceof Refused) {
        return answer;
      }
      if (heard) {
        pause = FIRST_PAUSE;
        lastTrouble = "";
      }
      if (!heard || !(answer instanceof Done)) {
        rest(answer);
      }
    }
  }

  private void readEvent(byte[] bytes, int from, int length) throws IOException {
    try (JsonParser event = JSON.createParser(bytes, from, length)) {
      String type = "";
      TreeNode early = null;
      event.nextToken();
      while (event.nextToken() == JsonToken.FIELD_NAME) {
        String field = event.currentName();
        event.nextToken();
        if (field.equals("type")) {
          type = event.getText();
        } else if (!field.equals("object")) {
          event.skipChildren();
        } else if (type.isEmpty()) {
          early = event.readValueAsTree();
        } else {
          happened(type, event);
          break; // most of a node comes after what matters: not worth reading
        }
      }
      if (early != null) {
        try (JsonParser object = early.traverse(JSON)) {
          object.nextToken();
          happened(type, object);
        }
      }
    } catch (JsonProcessingException cut) {
      throw new IOException("an event that is no JSON: " + inShort(cut));
    }
    heard |= !expired;
  }

  private void happened(String type, JsonParser object) throws IOException {
    switch (type) {
      case "ADDED", "MODIFIED" -> {
        Item<T> item = format.read(object, this::before);
        version = item.version();
        Item<T> before = remember(item);
        if (before != null && !before.uid().equals(item.uid())) {
          observer.gone(before);
          observer.changed(item);
        } else if (before == null || !before.value().equals(item.value())) {
          observer.changed(item);
        }
      }
      case "DELETED" -> {
        Item<T> item = format.read(object, this::before);
        version = item.version();
        known.remove(key(item));
        observer.gone(item);
      }
      case "BOOKMARK" -> {
        JsonNode bookmark = object.readValueAsTree();
        version = ObjectJson.version(bookmark);
      }
      default -> {
        JsonNode status = object.readValueAsTree();
        expired = true;
        throw new IOException(type + " " + status.path("message").asText());
      }
    }
  }

  private @Nullable T before(String name) {
    Item<T> item = known.get(name);
    return item == null ? null : item.value();
  }

  private @Nullable Item<T> remember(Item<T> item) {
    return known.put(key(item), item);
  }

  private static String key(Item<?> item) {
    return item.namespace() == null ? item.name() : item.namespace() + "/" + item.name();
  }

  private static String inShort(IOException problem) {
    return problem instanceof JsonProcessingException json
        ? json.getOriginalMessage()
        : String.valueOf(problem.getMessage());
  }

  /** Waits before the next attempt, longer each time. */
  private void rest(Answer answer) throws InterruptedException {
    String trouble = answer.summary();
    if (!(answer instanceof Done) && !trouble.equals(lastTrouble)) { // once, not at every attempt
      lastTrouble = trouble;
      LOG.warn("kind={} watch interrupted, will be taken up again: {}", kind, trouble);
    }
    var _ = closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    Duration longer = pause.multipliedBy(2);
    pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
  }
}
