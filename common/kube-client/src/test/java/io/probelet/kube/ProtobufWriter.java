package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Map;

/**
 * Writes Nodes, lists and watch events as protobuf like an API server, in order of field numbers.
 * Of a Node it writes metadata, whether it is cordoned, conditions and images.
 */
public final class ProtobufWriter {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private ProtobufWriter() {}

  /** Writes the fields of a message. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  /** An object in its envelope. */
  public static byte[] object(JsonNode object) {
    return envelope(
        object.path("apiVersion").asText("v1"), object.path("kind").asText(), any(object));
  }

  /** A list in its envelope, of objects that may lack kind and version. */
  public static byte[] list(JsonNode list) {
    return envelope(
        "v1",
        "NodeList",
        message(out -> {
          out.writeByteArray(
              1,
              message(metadata -> {
                text(metadata, 2, list.at("/metadata/resourceVersion"));
                text(metadata, 3, list.at("/metadata/continue"));
              }));
          for (JsonNode item : list.path("items")) {
            out.writeByteArray(2, node(item));
          }
        }));
  }

  /** An event, with its length before it. */
  public static byte[] event(String type, JsonNode object) {
    byte[] event =
        message(out -> {
          out.writeString(1, type);
          out.writeByteArray(2, message(extension -> extension.writeByteArray(1, object(object))));
        });
    return ByteBuffer.allocate(Integer.BYTES + event.length)
        .putInt(event.length)
        .put(event)
        .array();
  }

  private static byte[] envelope(String apiVersion, String kind, byte[] raw) {
    byte[] unknown =
        message(out -> {
          out.writeByteArray(
              1,
              message(type -> {
                type.writeString(1, apiVersion);
                type.writeString(2, kind);
              }));
          out.writeByteArray(2, raw);
          out.writeString(3, "");
          out.writeString(4, "");
        });
    return ByteBuffer.allocate(MAGIC.length + unknown.length).put(MAGIC).put(unknown).array();
  }

  private static byte[] any(JsonNode object) {
    return object.path("kind").asText().equals("Status") ? status(object) : node(object);
  }

  private static byte[] status(JsonNode status) {
    return message(out -> {
      text(out, 2, status.path("status"));
      text(out, 3, status.path("message"));
      text(out, 4, status.path("reason"));
      out.writeInt32(6, status.path("code").asInt());
    });
  }

  private static byte[] node(JsonNode node) {
    return message(out -> {
      out.writeByteArray(1, metadata(node.path("metadata")));
      out.writeByteArray(
          2,
          message(spec -> {
            text(spec, 1, node.at("/spec/podCIDR"));
            spec.writeBool(4, node.at("/spec/unschedulable").asBoolean());
          }));
      out.writeByteArray(3, nodeStatus(node.path("status")));
    });
  }

  private static byte[] metadata(JsonNode metadata) {
    return message(out -> {
      text(out, 1, metadata.path("name"));
      text(out, 2, metadata.path("generateName"));
      text(out, 3, metadata.path("namespace"));
      text(out, 5, metadata.path("uid"));
      text(out, 6, metadata.path("resourceVersion"));
      out.writeInt64(7, metadata.path("generation").asLong());
      time(out, 8, metadata.path("creationTimestamp"));
      entries(out, 11, metadata.path("labels"));
      entries(out, 12, metadata.path("annotations"));
    });
  }

  private static byte[] nodeStatus(JsonNode status) {
    return message(out -> {
      text(out, 3, status.path("phase"));
      for (JsonNode condition : status.path("conditions")) {
        out.writeByteArray(
            4,
            message(each -> {
              text(each, 1, condition.path("type"));
              text(each, 2, condition.path("status"));
              time(each, 3, condition.path("lastHeartbeatTime"));
              time(each, 4, condition.path("lastTransitionTime"));
              text(each, 5, condition.path("reason"));
              text(each, 6, condition.path("message"));
            }));
      }
      for (JsonNode image : status.path("images")) {
        out.writeByteArray(
            8,
            message(each -> {
              for (JsonNode name : image.path("names")) {
                each.writeString(1, name.asText());
              }
              each.writeInt64(2, image.path("sizeBytes").asLong());
            }));
      }
    });
  }

  private static void entries(CodedOutputStream out, int number, JsonNode map) throws IOException {
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      out.writeByteArray(
          number,
          message(each -> {
            each.writeString(1, entry.getKey());
            each.writeString(2, entry.getValue().asText());
          }));
    }
  }

  private static void time(CodedOutputStream out, int number, JsonNode time) throws IOException {
    if (time.isTextual()) {
      long seconds = OffsetDateTime.parse(time.textValue()).toEpochSecond();
      out.writeByteArray(
          number,
          message(each -> {
            each.writeInt64(1, seconds);
            each.writeInt32(2, 0);
          }));
    }
  }

  /** Go's encoder also writes empty values, as proto2 does for set fields. */
  private static void text(CodedOutputStream out, int number, JsonNode text) throws IOException {
    out.writeByteArray(number, text.asText("").getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] message(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      fields.write(out);
      out.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
