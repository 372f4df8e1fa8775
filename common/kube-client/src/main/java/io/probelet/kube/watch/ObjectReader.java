package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.object.WireJson;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import io.probelet.kube.protobuf.ProtobufFields;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads events and their objects, in either of two encodings. */
final class ObjectReader<T> {
  // metav1.WatchEvent, and runtime.RawExtension in it
  private static final int EVENT_TYPE = 1;
  private static final int EVENT_OBJECT = 2;
  private static final int EXTENSION_RAW = 1;

  // Of every kind, and of its metadata
  private static final int OBJECT_METADATA = 1;
  private static final int METADATA_VERSION = 6;

  private final Format<T> format;
  private final @Nullable ProtobufFormat<T> protobufFormat;
  private final Function<String, @Nullable T> before;
  private final Events<T> events;

  /** Receives the events of a watch. */
  @FunctionalInterface
  interface Events<T> {
    /**
     * Takes an event.
     *
     * @param type such as MODIFIED
     * @param object read during the call only
     * @throws IOException if the object cannot be read; ends the watch
     */
    void happened(String type, SentObject<T> object) throws IOException;
  }

  /**
   * Begins.
   *
   * @param before returns the last read value of a named object
   */
  ObjectReader(Format<T> format, Function<String, @Nullable T> before, Events<T> events) {
    this.format = format;
    this.protobufFormat = format instanceof ProtobufFormat<T> protobuf ? protobuf : null;
    this.before = before;
    this.events = events;
  }

  /** {@return the accepted media types, in order of preference} */
  String accepted() {
    return protobufFormat == null ? ApiServer.JSON_TYPE : ApiServer.PROTOBUF_OR_JSON;
  }

  /**
   * Reads an event from a line of JSON.
   *
   * @throws IOException if it is invalid
   */
  void readLine(byte[] bytes, int from, int length) throws IOException {
    try (JsonParser event = WireJson.FACTORY.createParser(bytes, from, length)) {
      String type = "";
      JsonNode early = null;
      event.nextToken();
      while (event.nextToken() == JsonToken.FIELD_NAME) {
        String field = event.currentName();
        event.nextToken();
        if (field.equals("type")) {
          type = event.getText();
        } else if (!field.equals("object")) {
          event.skipChildren();
        } else if (type.isEmpty()) {
          early = tree(event);
        } else {
          events.happened(type, json(event));
          break; // most of a node follows the relevant fields and is skipped
        }
      }
      if (early != null) {
        try (JsonParser object = early.traverse(WireJson.FACTORY.getCodec())) {
          object.nextToken();
          events.happened(type, json(object));
        }
      }
    } catch (JsonProcessingException cut) {
      throw new IOException("event is not JSON: " + cut.getOriginalMessage());
    }
  }

  /**
   * Reads an event from a protobuf message.
   *
   * @throws IOException if it is invalid, or protobuf was not requested
   */
  void readMessage(byte[] bytes, int from, int length) throws IOException {
    ProtobufFields event = new ProtobufFields(bytes, from, length);
    String type = "";
    for (int field = event.next(); field != ProtobufFields.END; field = event.next()) {
      if (field == EVENT_TYPE) {
        type = event.text();
      } else if (field != EVENT_OBJECT) {
        event.skip();
      } else {
        event.enter();
        event.enterField(EXTENSION_RAW);
        ProtobufEnvelope.open(event);
        events.happened(type, protobuf(event));
        return; // the type comes first, the object last
      }
    }
  }

  private static JsonNode tree(JsonParser json) throws IOException {
    return BoundedObject.readAny(json, ObjectLimits.LARGE).orElse(MissingNode.getInstance());
  }

  SentObject<T> json(JsonParser object) {
    return new Json(object);
  }

  SentObject<T> protobuf(ProtobufFields object) throws IOException {
    if (protobufFormat == null) {
      throw new IOException("unexpected protobuf response");
    }
    return new Protobuf(protobufFormat, object);
  }

  private final class Json implements SentObject<T> {
    private final JsonParser object;

    Json(JsonParser object) {
      this.object = object;
    }

    @Override
    public @Nullable Item<T> item() throws IOException {
      return format.read(object, before);
    }

    @Override
    public String version() throws IOException {
      return Metadata.version(tree(object));
    }

    @Override
    public ApiResult failure() throws IOException {
      JsonNode status = tree(object);
      return ApiResult.failure(status.path("code").asInt(), status.path("message").asText(), null);
    }
  }

  private final class Protobuf implements SentObject<T> {
    private final ProtobufFormat<T> reading;
    private final ProtobufFields object;

    Protobuf(ProtobufFormat<T> reading, ProtobufFields object) {
      this.reading = reading;
      this.object = object;
    }

    @Override
    public @Nullable Item<T> item() throws IOException {
      return reading.read(object, before);
    }

    @Override
    public String version() throws IOException {
      String version = "";
      for (int field = object.next(); field != ProtobufFields.END; field = object.next()) {
        if (field == OBJECT_METADATA) {
          int outer = object.enter();
          for (int each = object.next(); each != ProtobufFields.END; each = object.next()) {
            if (each == METADATA_VERSION) {
              version = object.text();
            } else {
              object.skip();
            }
          }
          object.leave(outer);
        } else {
          object.skip();
        }
      }
      return version;
    }

    @Override
    public ApiResult failure() throws IOException {
      ProtobufEnvelope.Status status = ProtobufEnvelope.status(object);
      return ApiResult.failure(status.code(), status.message(), null);
    }
  }
}
