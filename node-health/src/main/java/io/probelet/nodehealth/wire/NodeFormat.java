package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.WireTime;
import io.probelet.kube.protobuf.ProtobufFields;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.ProtobufFormat;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.wire.NodeDraft.SharedTexts;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of nodes that plans need, and keeps each text once for all nodes. Images, which
 * are most of a node, follow the relevant fields and are not read.
 */
public final class NodeFormat implements ProtobufFormat<NodeFacts> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAIRS = 64;

  private final SharedTexts texts = new SharedTexts();
  private final NodeProtobuf protobuf = new NodeProtobuf(texts);

  /** Begins without any texts. */
  public NodeFormat() {}

  /**
   * Reads one node, of which callers need more.
   *
   * @return the parts that plans need
   * @throws IOException if it is not an object of this kind
   */
  public Item<NodeFacts> read(JsonNode node, Function<String, @Nullable NodeFacts> before)
      throws IOException {
    if (!node.isObject()) {
      throw new IOException("not a Node");
    }
    try (JsonParser again = node.traverse(JSON)) {
      again.nextToken();
      return read(again, before);
    }
  }

  @Override
  public Item<NodeFacts> read(JsonParser object, Function<String, @Nullable NodeFacts> before)
      throws IOException {
    NodeDraft draft = new NodeDraft(texts, before);
    for (String field = first(object); field != null; field = next(object)) {
      switch (field) {
        case "metadata" -> readMetadata(object, draft);
        case "spec" -> readSpec(object, draft);
        case "status" -> {
          if (readStatus(object, draft)) {
            return draft.item();
          }
        }
        default -> object.skipChildren();
      }
    }
    return draft.item();
  }

  @Override
  public Item<NodeFacts> read(ProtobufFields object, Function<String, @Nullable NodeFacts> before)
      throws IOException {
    return protobuf.read(object, before);
  }

  private static void readMetadata(JsonParser object, NodeDraft draft) throws IOException {
    for (String field = first(object); field != null; field = next(object)) {
      switch (field) {
        case "name" -> draft.name(text(object));
        case "uid" -> draft.uid = text(object);
        case "resourceVersion" -> draft.version = text(object);
        case "creationTimestamp" -> draft.created = moment(object);
        case "labels" -> draft.labels(pairs(object));
        case "annotations" -> readAnnotations(object, draft);
        default -> object.skipChildren();
      }
    }
  }

  private static List<String> pairs(JsonParser object) throws IOException {
    List<String> pairs = new ArrayList<>(PAIRS);
    for (String key = first(object); key != null; key = next(object)) {
      pairs.add(key);
      pairs.add(text(object));
    }
    return pairs;
  }

  private static void readAnnotations(JsonParser object, NodeDraft draft) throws IOException {
    for (String key = first(object); key != null; key = next(object)) {
      if (NodeDraft.isRead(key)) {
        draft.annotations.put(key, text(object));
      } else {
        object.skipChildren();
      }
    }
  }

  private void readSpec(JsonParser object, NodeDraft draft) throws IOException {
    for (String field = first(object); field != null; field = next(object)) {
      if (field.equals("taints") && object.isExpectedStartArrayToken()) {
        draft.taints.clear();
        while (object.nextToken() != JsonToken.END_ARRAY) {
          draft.taints.add(readTaint(object));
        }
      } else {
        object.skipChildren();
      }
    }
  }

  private NodeTaint readTaint(JsonParser object) throws IOException {
    String key = "";
    String value = "";
    String effect = "";
    for (String field = first(object); field != null; field = next(object)) {
      switch (field) {
        case "key" -> key = texts.once(text(object));
        case "value" -> value = texts.once(text(object));
        case "effect" -> effect = texts.once(text(object));
        default -> object.skipChildren();
      }
    }
    return new NodeTaint(key, value, effect);
  }

  /** {@return whether all relevant fields have been read} */
  private boolean readStatus(JsonParser object, NodeDraft draft) throws IOException {
    for (String field = first(object); field != null; field = next(object)) {
      if (field.equals("conditions") && object.isExpectedStartArrayToken()) {
        draft.conditions.clear();
        while (object.nextToken() != JsonToken.END_ARRAY) {
          draft.conditions.add(readCondition(object));
        }
        if (draft.hasName()) {
          return true;
        }
      } else {
        object.skipChildren();
      }
    }
    return false;
  }

  private NodeCondition readCondition(JsonParser object) throws IOException {
    String type = "";
    String status = "";
    String reason = "";
    Instant since = Instant.EPOCH;
    for (String field = first(object); field != null; field = next(object)) {
      switch (field) {
        case "type" -> type = texts.once(text(object));
        case "status" -> status = texts.once(text(object));
        case "reason" -> reason = texts.once(text(object));
        case "lastTransitionTime" -> since = moment(object);
        default -> object.skipChildren();
      }
    }
    return new NodeCondition(type, status, since, reason);
  }

  /** Advances to the value of the first field; null if there is none, or no object. */
  private static @Nullable String first(JsonParser object) throws IOException {
    return object.isExpectedStartObjectToken() ? next(object) : null;
  }

  /** Advances to the value of the next field; null after the last. */
  private static @Nullable String next(JsonParser object) throws IOException {
    if (object.nextToken() != JsonToken.FIELD_NAME) {
      return null;
    }
    String name = object.currentName();
    object.nextToken();
    return name;
  }

  private static String text(JsonParser object) throws IOException {
    String text = object.getValueAsString();
    object.skipChildren();
    return text == null ? "" : text;
  }

  private static Instant moment(JsonParser object) throws IOException {
    Instant moment = WireTime.read(text(object));
    return moment == null ? Instant.EPOCH : moment;
  }
}
