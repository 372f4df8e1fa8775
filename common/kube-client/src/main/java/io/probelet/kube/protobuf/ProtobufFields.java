package io.probelet.kube.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the fields of a protobuf message and of nested messages. A truncated message is rejected:
 * half of a list must never pass for a short list.
 */
public final class ProtobufFields {
  /** The result of {@link #next} after the last field; no field has this number. */
  public static final int END = 0;

  /** Large enough for most skipped fields: gzip streams skip by half a kilobyte. */
  private static final int BUFFER_BYTES = 1 << 16;

  private final CodedInputStream bytes;
  private int tag;

  /** Reads a message from a stream. */
  public ProtobufFields(InputStream bytes) {
    this.bytes = CodedInputStream.newInstance(bytes, BUFFER_BYTES);
  }

  /**
   * Reads a message from an array.
   *
   * @param bytes the message; must not be changed during reading
   * @param length its length in bytes
   */
  public ProtobufFields(byte[] bytes, int from, int length) {
    this.bytes = CodedInputStream.newInstance(bytes, from, length);
  }

  /**
   * Moves to the next field of the message; the previous one must have been read or {@linkplain
   * #skip skipped}.
   *
   * @return its number; {@link #END} after the last
   * @throws IOException if the message is truncated or invalid
   */
  public int next() throws IOException {
    tag = bytes.readTag();
    if (tag == 0 && bytes.getBytesUntilLimit() > 0) {
      throw new InvalidProtocolBufferException("truncated message");
    }
    return WireFormat.getTagFieldNumber(tag);
  }

  /**
   * Skips a field.
   *
   * @throws IOException if it is truncated
   */
  public void skip() throws IOException {
    if (!bytes.skipField(tag)) {
      throw new InvalidProtocolBufferException("end of a group that has not begun");
    }
  }

  /**
   * Reads a field.
   *
   * @return its text; malformed UTF-8 is replaced
   * @throws IOException if it is not text, or truncated
   */
  public String text() throws IOException {
    require(WireFormat.WIRETYPE_LENGTH_DELIMITED);
    return bytes.readString();
  }

  /**
   * Reads a field.
   *
   * @throws IOException if it is not such a number, or truncated
   */
  public long number() throws IOException {
    require(WireFormat.WIRETYPE_VARINT);
    return bytes.readRawVarint64();
  }

  /**
   * Enters a nested message: {@link #next} returns its fields until it is {@linkplain #leave left}.
   *
   * @throws IOException if it is not a message, or exceeds the enclosing one
   */
  public int enter() throws IOException {
    return enter(Integer.MAX_VALUE);
  }

  /**
   * Does the same with a message of limited length.
   *
   * @param most the most bytes it may have, at least 0
   * @throws IOException if it is not a message, or exceeds that limit or the enclosing message
   */
  public int enter(int most) throws IOException {
    require(WireFormat.WIRETYPE_LENGTH_DELIMITED);
    int length = bytes.readRawVarint32();
    if (length > most) {
      throw new InvalidProtocolBufferException("message exceeds " + most + " bytes");
    }
    return bytes.pushLimit(length);
  }

  /**
   * Enters the message inside this envelope, skipping earlier fields.
   *
   * @throws IOException if there is none, or as for {@link #enter()}
   */
  public int enterField(int number) throws IOException {
    for (int field = next(); field != END; field = next()) {
      if (field == number) {
        return enter();
      }
      skip();
    }
    throw new InvalidProtocolBufferException(
        "envelope without an object: field " + number + " is missing");
  }

  /**
   * Skips the rest of a nested message and returns to the enclosing one.
   *
   * @throws IOException if it is truncated
   */
  public void leave(int entered) throws IOException {
    bytes.skipRawBytes(bytes.getBytesUntilLimit());
    bytes.popLimit(entered);
  }

  private void require(int type) throws IOException {
    if (WireFormat.getTagWireType(tag) != type) {
      throw new InvalidProtocolBufferException(
          "field %d of wire type %d, expected %d"
              .formatted(WireFormat.getTagFieldNumber(tag), WireFormat.getTagWireType(tag), type));
    }
  }

  /** Reads bytes that belong to no field. */
  int rawByte() throws IOException {
    return bytes.readRawByte();
  }
}
