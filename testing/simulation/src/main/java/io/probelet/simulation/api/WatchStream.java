package io.probelet.simulation.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ObjectStore.Change;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A watch as the server serves it: the changes of a selection after a version. */
final class WatchStream {
  private final ObjectStore store;
  private final ApiKind kind;
  private final ResourcePath path;
  private final Selector selector;
  private final ApiRequest request;

  /** Events of this version and earlier ones are not sent, even if etcd's version went back. */
  private final long since;

  private final List<byte[]> early = new ArrayList<>();
  private @Nullable Sink sink;
  private boolean ended;

  /** Receives the events. */
  interface Sink {
    /** Receives an event. */
    void event(byte[] line);

    /** The watch has ended. */
    void end();
  }

  WatchStream(
      ObjectStore store,
      ApiKind kind,
      ResourcePath path,
      Selector selector,
      ApiRequest request,
      long since) {
    this.store = store;
    this.kind = kind;
    this.path = path;
    this.selector = selector;
    this.request = request;
    this.since = since;
  }

  ApiRequest request() {
    return request;
  }

  String collection() {
    return kind.collection();
  }

  boolean wantsBookmarks() {
    return request.parameter("allowWatchBookmarks").equals("true");
  }

  /** Sends all events to a receiver from now on. */
  void to(Sink receiver) {
    sink = receiver;
    early.forEach(receiver::event);
    early.clear();
    if (ended) {
      receiver.end();
    }
  }

  void changed(Change change) {
    boolean named = path.name().isEmpty() || path.name().equals(change.name());
    if (!change.collection().equals(kind.collection())
        || !path.isIn(change.namespace())
        || !named
        || change.version() <= since) {
      return;
    }
    ObjectNode before = change.before();
    ObjectNode after = change.after();
    boolean was = before != null && selector.matches(before);
    boolean is = after != null && selector.matches(after);
    if (is && after != null) {
      tell(was ? "MODIFIED" : "ADDED", store.json(kind.collection(), after));
    } else if (was && before != null) {
      ObjectNode gone = (after == null ? before : after).deepCopy();
      gone.withObject("/metadata").put("resourceVersion", Long.toString(change.version()));
      tell("DELETED", gone.toString());
    }
  }

  void existing(ObjectNode object) {
    tell("ADDED", store.json(kind.collection(), object));
  }

  void bookmark(long version) {
    if (version <= since || !wantsBookmarks()) {
      return;
    }
    ObjectNode bookmark = JsonNodeFactory.instance.objectNode();
    bookmark.put("kind", kind.kind()).put("apiVersion", kind.apiVersion());
    bookmark
        .putObject("metadata")
        .put("resourceVersion", Long.toString(version))
        .putNull("creationTimestamp");
    tell("BOOKMARK", bookmark.toString());
  }

  void fail(RefusedRequest why) {
    tell("ERROR", why.status().toString());
    end();
  }

  private void tell(String type, String object) {
    if (ended) {
      return;
    }
    byte[] line = ("{\"type\":\"" + type + "\",\"object\":" + object + "}\n").getBytes(UTF_8);
    if (sink == null) {
      early.add(line);
    } else {
      sink.event(line);
    }
  }

  void end() {
    if (!ended) {
      ended = true;
      if (sink != null) {
        sink.end();
      }
    }
  }
}
