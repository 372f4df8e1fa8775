package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Nodes in an API server's protobuf encoding: all fields of the benchmark's nodes, in numeric
 * order.
 */
final class NodeMessage {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private static final Message CONDITION =
      new Message()
          .with("type", 1)
          .with("status", 2)
          .with("lastHeartbeatTime", 3, Form.TIME)
          .with("lastTransitionTime", 4, Form.TIME)
          .with("reason", 5)
          .with("message", 6);
  private static final Message IMAGE =
      new Message().with("names", 1).with("sizeBytes", 2, Form.NUMBER);
  private static final Message METADATA =
      new Message()
          .with("name", 1)
          .with("uid", 5)
          .with("resourceVersion", 6)
          .with("creationTimestamp", 8, Form.TIME)
          .with("labels", 11, Form.ENTRIES);
  private static final Message NODE =
      new Message()
          .with("metadata", 1, METADATA)
          .with(
              "status", 3, new Message().with("conditions", 4, CONDITION).with("images", 8, IMAGE));

  private NodeMessage() {}

  /** The encoding of a value. */
  private enum Form {
    TEXT,
    NUMBER,
    TIME,
    ENTRIES
  }

  private sealed interface Field {
    record Value(int number, Form form) implements Field {}

    record Nested(int number, Message message) implements Field {}
  }

  /** The fields of a message by their JSON names. */
  private static final class Message {
    private final Map<String, Field> fields = new LinkedHashMap<>();

    Message with(String name, int number) {
      return with(name, number, Form.TEXT);
    }

    Message with(String name, int number, Form form) {
      fields.put(name, new Field.Value(number, form));
      return this;
    }

    Message with(String name, int number, Message message) {
      fields.put(name, new Field.Nested(number, message));
      return this;
    }

    byte[] bytes(JsonNode object) {
      return written(out -> {
        for (Map.Entry<String, Field> field : fields.entrySet()) {
          JsonNode value = object.path(field.getKey());
          if (value.isArray()) {
            for (JsonNode each : value) {
              write(out, field.getValue(), each);
            }
          } else if (!value.isMissingNode()) {
            write(out, field.getValue(), value);
          }
        }
      });
    }

    private static void write(CodedOutputStream out, Field field, JsonNode value)
        throws IOException {
      switch (field) {
        case Field.Nested(int number, Message message) ->
            out.writeByteArray(number, message.bytes(value));
        case Field.Value(int number, Form form) -> {
          switch (form) {
            case TEXT -> out.writeString(number, value.asText());
            case NUMBER -> out.writeInt64(number, value.asLong());
            case TIME -> {
              long seconds = OffsetDateTime.parse(value.asText()).toEpochSecond();
              out.writeByteArray(number, written(time -> time.writeInt64(1, seconds)));
            }
            case ENTRIES -> {
              for (Map.Entry<String, JsonNode> entry : value.properties()) {
                out.writeByteArray(
                    number,
                    written(each -> {
                      each.writeString(1, entry.getKey());
                      each.writeString(2, entry.getValue().asText());
                    }));
              }
            }
          }
        }
      }
    }
  }

  @FunctionalInterface
  private interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] written(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      writing.to(out);
      out.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** A node as an element of lists and events. */
  static byte[] of(JsonNode node) {
    return NODE.bytes(node);
  }

  /** A list of nodes. */
  static byte[] list(String version, String next, Iterable<byte[]> nodes) {
    byte[] metadata =
        written(out -> {
          out.writeString(2, version);
          out.writeString(3, next);
        });
    return envelope(
        "NodeList",
        written(out -> {
          out.writeByteArray(1, metadata);
          for (byte[] node : nodes) {
            out.writeByteArray(2, node);
          }
        }));
  }

  /** A watch event, preceded by its length. */
  static byte[] event(String type, byte[] node) {
    byte[] object = written(out -> out.writeByteArray(1, envelope("Node", node)));
    byte[] event =
        written(out -> {
          out.writeString(1, type);
          out.writeByteArray(2, object);
        });
    return ByteBuffer.allocate(Integer.BYTES + event.length)
        .putInt(event.length)
        .put(event)
        .array();
  }

  private static byte[] envelope(String kind, byte[] object) {
    byte[] type =
        written(out -> {
          out.writeString(1, "v1");
          out.writeString(2, kind);
        });
    byte[] unknown =
        written(out -> {
          out.writeByteArray(1, type);
          out.writeByteArray(2, object);
          out.writeString(3, "");
          out.writeString(4, "");
        });
    return ByteBuffer.allocate(MAGIC.length + unknown.length).put(MAGIC).put(unknown).array();
  }
}
