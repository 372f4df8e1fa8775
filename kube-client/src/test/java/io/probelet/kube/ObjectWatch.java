package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A watch of a collection: what of its changes it is told, as lines of JSON. */
final class ObjectWatch {
  /** What comes last. */
  static final String END = "";

  private final ObjectPath path;
  private final ObjectSelector selector;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /**
   * An object that was changed.
   *
   * @param before null if it was created
   * @param after null if it was deleted
   */
  record Change(
      long version, ObjectPath path, @Nullable ObjectNode before, @Nullable ObjectNode after) {}

  ObjectWatch(ObjectPath path, ObjectSelector selector) {
    this.path = path;
    this.selector = selector;
  }

  /** Waits for what is to be sent next. */
  String next() throws InterruptedException {
    return lines.take();
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
    ObjectNode event = JsonNodeFactory.instance.objectNode().put("type", type);
    lines.add(event.set("object", object) + "\n");
  }

  /** Ends it, after some text that need not be a whole line. */
  void end(String last) {
    if (!last.isEmpty()) {
      lines.add(last);
    }
    lines.add(END);
  }
}
