package io.probelet.kube.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;

/**
 * The fields of a protobuf message, one after the other, and of the messages in it. A message that
 * is shorter than it says is refused: the half of a list must never pass for a short one.
 */
public final class ProtobufFields {
  /** What {@link #next} returns after the last field; no field has this number. */
  public static final int END = 0;

  /** So that most of what is skipped is there: streams that unpack skip by half a kilobyte. */
  private static final int BUFFER_BYTES = 1 << 16;

  private final CodedInputStream bytes;
  private int tag;

  /** Reads a message as it comes. */
  public ProtobufFields(InputStream bytes) {
    this.bytes = CodedInputStream.newInstance(bytes, BUFFER_BYTES);
  }

  /**
   * Reads a message that is there.
   *
   * @param bytes holds the message, not to be changed meanwhile
   * @param length its length in bytes
   */
  public ProtobufFields(byte[] bytes, int from, int length) {
    this.bytes = CodedInputStream.newInstance(bytes, from, length);
  }

  /**
   * Goes to the next field of the message; the one before has to be read or {@linkplain #skip
   * skipped}.
   *
   * @return its number; {@link #END} after the last
   * @throws IOException if the message is cut short, or is none
   */
  public int next() throws IOException {
    tag = bytes.readTag();
    if (tag == 0 && bytes.getBytesUntilLimit() > 0) {
      throw new InvalidProtocolBufferException("truncated message");
    }
    return WireFormat.getTagFieldNumber(tag);
  }

  /**
   * Passes over a field.
   *
   * @throws IOException if it is cut short
   */
  public void skip() throws IOException {
    if (!bytes.skipField(tag)) {
      throw new InvalidProtocolBufferException("end of a group that has not begun");
    }
  }

  /**
   * Reads a field.
   *
   * @return its text; bytes that are no UTF-8 are replaced in it
   * @throws IOException if it is no text, or cut short
   */
  public String text() throws IOException {
    require(WireFormat.WIRETYPE_LENGTH_DELIMITED);
    return bytes.readString();
  }

  /**
   * Reads a field.
   *
   * @throws IOException if it is no such number, or cut short
   */
  public long number() throws IOException {
    require(WireFormat.WIRETYPE_VARINT);
    return bytes.readRawVarint64();
  }

  /**
   * Goes into a field that is a message: what is next is that message's, until it is {@linkplain
   * #leave left}.
   *
   * @throws IOException if it is no message, or longer than the one that it is in
   */
  public int enter() throws IOException {
    return enter(Integer.MAX_VALUE);
  }

  /**
   * Does the same with a message of limited length.
   *
   * @param most the most bytes it may have, at least 0
   * @throws IOException if it is no message, or longer than that or the one that it is in
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
   * Goes into the message that this one is the envelope of, past what is before it.
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
   * Goes to the end of a message, wherever in it the fields are read up to, and on with the one
   * that it is in.
   *
   * @throws IOException if it is cut short
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
