package io.probelet.kube.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What the API server puts around an object that it sends as protobuf: four bytes, and a message of
 * the object's kind and bytes.
 */
public final class ProtobufEnvelope {
  /** The media type; a server that has no protobuf for a kind sends the next one it is offered. */
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final int RAW = 2; // runtime.Unknown

  // metav1.Status
  private static final int STATUS_MESSAGE = 3;
  private static final int STATUS_CODE = 6;

  private ProtobufEnvelope() {}

  /**
   * What the API server says in place of what was asked for.
   *
   * @param code as of HTTP; 0 if it says none
   * @param message why; empty if it does not say
   */
  public record Status(int code, String message) {}

  /**
   * {@return whether bytes that begin so are an object as protobuf: neither JSON nor anything
   * packed does}
   *
   * @param first the first of the bytes
   */
  public static boolean beginsWith(int first) {
    return first == MAGIC[0];
  }

  /**
   * Goes from an envelope's beginning into the object.
   *
   * @param fields at the envelope's beginning; afterwards at the object's
   * @throws IOException if it is no envelope, or holds nothing
   */
  public static int open(ProtobufFields fields) throws IOException {
    for (byte each : MAGIC) {
      if (fields.rawByte() != each) {
        throw new InvalidProtocolBufferException("not a Kubernetes object");
      }
    }
    return fields.enterField(RAW);
  }

  /**
   * Reads a Status.
   *
   * @throws IOException if it is no Status
   */
  public static Status status(ProtobufFields fields) throws IOException {
    int code = 0;
    String message = "";
    for (int field = fields.next(); field != ProtobufFields.END; field = fields.next()) {
      switch (field) {
        case STATUS_MESSAGE -> message = fields.text();
        case STATUS_CODE -> code = Math.toIntExact(Math.clamp(fields.number(), 0, 999));
        default -> fields.skip();
      }
    }
    return new Status(code, message);
  }

  /**
   * {@return the text of a refusal: what a Status says that is sent as protobuf, anything else as
   * it is}
   */
  public static String refusal(byte[] sent) {
    if (sent.length > 0 && beginsWith(sent[0])) {
      try {
        ProtobufFields fields = new ProtobufFields(sent, 0, sent.length);
        open(fields);
        return status(fields).message();
      } catch (IOException other) {
        // a text that begins with the same letter
      }
    }
    return new String(sent, StandardCharsets.UTF_8);
  }
}
