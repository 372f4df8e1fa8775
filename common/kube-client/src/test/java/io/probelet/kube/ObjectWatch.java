package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A watch of a collection: its matching changes as JSON or protobuf. */
final class ObjectWatch {
  /** The end marker. */
  private static final byte[] END = {};

  /** Half of an event. */
  private static final byte[] HALF = {0, 0, 1, 0, 'k', '8'};

  private final ObjectPath path;
  private final ObjectSelector selector;
  private final boolean protobuf;
  private final BlockingQueue<byte[]> events = new LinkedBlockingQueue<>();

  /**
   * An object that was changed.
   *
   * @param before null if it was created
   * @param after null if it was deleted
   */
  record Change(
      long version, ObjectPath path, @Nullable ObjectNode before, @Nullable ObjectNode after) {}

  ObjectWatch(ObjectPath path, ObjectSelector selector, boolean protobuf) {
    this.path = path;
    this.selector = selector;
    this.protobuf = protobuf;
  }

  /** Waits for the next data to send. */
  byte[] next() throws InterruptedException {
    return events.take();
  }

  void changed(Change change) {
    String namespace = path.namespace().isEmpty() ? path.namespace() : change.path().namespace();
    if (!change.path().collection().equals(path.collection())
        || !namespace.equals(path.namespace())) {
      return;
    }
    ObjectNode before = change.before();
    ObjectNode after = change.after();
    boolean was = before != null && selector.matches(before);
    boolean is = after != null && selector.matches(after);
    if (is) {
      tell(was ? "MODIFIED" : "ADDED", after);
    } else if (was) {
      ObjectNode gone = before.deepCopy();
      gone.withObject("metadata").put("resourceVersion", Long.toString(change.version()));
      tell("DELETED", gone);
    }
  }

  void tell(String type, JsonNode object) {
    if (protobuf) {
      events.add(ProtobufWriter.event(type, object));
      return;
    }
    ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", type);
    events.add(utf8(event.set("object", object) + "\n"));
  }

  /** Ends it. */
  void end() {
    events.add(END);
  }

  /** Ends it within an event. */
  void cut() {
    events.add(protobuf ? HALF : utf8("{\"type\":\"MODIF"));
    end();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
