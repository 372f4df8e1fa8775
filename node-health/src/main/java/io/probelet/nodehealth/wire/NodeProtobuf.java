package io.probelet.nodehealth.wire;

import io.probelet.kube.protobuf.ProtobufFields;
import io.probelet.kube.watch.Item;
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
 * Reads the same parts of a node in protobuf encoding. The field numbers are core/v1's and
 * meta/v1's.
 */
final class NodeProtobuf {
  private static final int NODE_METADATA = 1;
  private static final int NODE_SPEC = 2;
  private static final int NODE_STATUS = 3;

  private static final int METADATA_NAME = 1;
  private static final int METADATA_UID = 5;
  private static final int METADATA_VERSION = 6;
  private static final int METADATA_CREATED = 8;
  private static final int METADATA_LABELS = 11;
  private static final int METADATA_ANNOTATIONS = 12;

  private static final int ENTRY_KEY = 1;
  private static final int ENTRY_VALUE = 2;

  private static final int SPEC_TAINTS = 5;

  private static final int TAINT_KEY = 1;
  private static final int TAINT_VALUE = 2;
  private static final int TAINT_EFFECT = 3;

  private static final int STATUS_CONDITIONS = 4;

  private static final int CONDITION_TYPE = 1;
  private static final int CONDITION_STATUS = 2;
  private static final int CONDITION_TRANSITION = 4;
  private static final int CONDITION_REASON = 5;

  private static final int TIME_SECONDS = 1;

  /** The range of JSON: the years 1 to 9999. */
  private static final long FIRST_SECOND = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();

  private static final long LAST_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

  private static final int PAIRS = 64;

  private final SharedTexts texts;

  NodeProtobuf(SharedTexts texts) {
    this.texts = texts;
  }

  Item<NodeFacts> read(ProtobufFields object, Function<String, @Nullable NodeFacts> before)
      throws IOException {
    NodeDraft draft = new NodeDraft(texts, before);
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      switch (field) {
        case NODE_METADATA -> readMetadata(object, draft);
        case NODE_SPEC -> readSpec(object, draft);
        case NODE_STATUS -> readStatus(object, draft);
        default -> object.skip();
      }
    }
    return draft.item();
  }

  private static void readMetadata(ProtobufFields object, NodeDraft draft) throws IOException {
    List<String> labels = new ArrayList<>(PAIRS);
    int outer = object.enter();
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      switch (field) {
        case METADATA_NAME -> draft.name(object.text());
        case METADATA_UID -> draft.uid = object.text();
        case METADATA_VERSION -> draft.version = object.text();
        case METADATA_CREATED -> draft.created = moment(object);
        case METADATA_LABELS -> readEntry(object, labels);
        case METADATA_ANNOTATIONS -> readAnnotation(object, draft);
        default -> object.skip();
      }
    }
    object.leave(outer);
    draft.labels(labels);
  }

  /** Empty fields are not sent. */
  private static void readEntry(ProtobufFields object, List<String> pairs) throws IOException {
    String key = "";
    String value = "";
    int outer = object.enter();
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      switch (field) {
        case ENTRY_KEY -> key = object.text();
        case ENTRY_VALUE -> value = object.text();
        default -> object.skip();
      }
    }
    object.leave(outer);
    pairs.add(key);
    pairs.add(value);
  }

  private static void readAnnotation(ProtobufFields object, NodeDraft draft) throws IOException {
    List<String> pair = new ArrayList<>(2);
    readEntry(object, pair);
    if (NodeDraft.isRead(pair.getFirst())) {
      draft.annotations.put(pair.getFirst(), pair.getLast());
    }
  }

  private void readSpec(ProtobufFields object, NodeDraft draft) throws IOException {
    int outer = object.enter();
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      if (field == SPEC_TAINTS) {
        draft.taints.add(readTaint(object));
      } else {
        object.skip();
      }
    }
    object.leave(outer);
  }

  private NodeTaint readTaint(ProtobufFields object) throws IOException {
    String key = "";
    String value = "";
    String effect = "";
    int outer = object.enter();
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      switch (field) {
        case TAINT_KEY -> key = texts.once(object.text());
        case TAINT_VALUE -> value = texts.once(object.text());
        case TAINT_EFFECT -> effect = texts.once(object.text());
        default -> object.skip();
      }
    }
    object.leave(outer);
    return new NodeTaint(key, value, effect);
  }

  /** Images, most of a node, follow the conditions. */
  private void readStatus(ProtobufFields object, NodeDraft draft) throws IOException {
    int outer = object.enter();
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      if (field == STATUS_CONDITIONS) {
        draft.conditions.add(readCondition(object));
      } else if (field > STATUS_CONDITIONS) {
        break; // an API server writes fields in numeric order
      } else {
        object.skip();
      }
    }
    object.leave(outer);
  }

  private NodeCondition readCondition(ProtobufFields object) throws IOException {
    String type = "";
    String status = "";
    String reason = "";
    Instant since = Instant.EPOCH;
    int outer = object.enter();
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      switch (field) {
        case CONDITION_TYPE -> type = texts.once(object.text());
        case CONDITION_STATUS -> status = texts.once(object.text());
        case CONDITION_TRANSITION -> since = moment(object);
        case CONDITION_REASON -> reason = texts.once(object.text());
        default -> object.skip();
      }
    }
    object.leave(outer);
    return new NodeCondition(type, status, since, reason);
  }

  /** Whole seconds only, like the API server and JSON. */
  private static Instant moment(ProtobufFields object) throws IOException {
    long seconds = 0;
    int outer = object.enter();
    for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
      if (field == TIME_SECONDS) {
        seconds = object.number();
      } else {
        object.skip();
      }
    }
    object.leave(outer);
    return seconds < FIRST_SECOND || seconds > LAST_SECOND
        ? Instant.EPOCH
        : Instant.ofEpochSecond(seconds);
  }
}
