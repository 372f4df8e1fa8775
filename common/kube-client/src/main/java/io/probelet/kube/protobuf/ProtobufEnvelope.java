package io.probelet.kube.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The envelope of a protobuf object from the API server: four bytes, and a message with the
 * object's kind and bytes.
 */
public final class ProtobufEnvelope {
  /** The media type; a server without protobuf for a kind uses the next accepted type. */
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final int RAW = 2; // runtime.Unknown

  // metav1.Status
  private static final int STATUS_MESSAGE = 3;
  private static final int STATUS_CODE = 6;

  private ProtobufEnvelope() {}

  /**
   * A Status in place of the requested object.
   *
   * @param code the HTTP status code; 0 if absent
   * @param message the message; empty if absent
   */
  public record Status(int code, String message) {}

  /**
   * {@return whether these are the first bytes of a protobuf object; JSON and gzip begin
   * differently}
   *
   * @param first the first byte
   */
  public static boolean beginsWith(int first) {
    return first == MAGIC[0];
  }

  /**
   * Moves from an envelope's beginning into the object.
   *
   * @param fields at the envelope's beginning; afterwards at the object's
   * @throws IOException if it is not an envelope, or is empty
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
   * @throws IOException if it is not a Status
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
   * {@return the text of an error response: the message of a protobuf Status, any other text
   * unchanged}
   */
  public static String refusal(byte[] sent) {
    if (sent.length > 0 && beginsWith(sent[0])) {
      try {
        ProtobufFields fields = new ProtobufFields(sent, 0, sent.length);
        open(fields);
        return status(fields).message();
      } catch (IOException other) {
        // other text with the same first letter
      }
    }
    return new String(sent, StandardCharsets.UTF_8);
  }
}
