package io.probelet.probe.h2;

import io.probelet.probe.net.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** HTTP/2 by hand, from the server's side: frames and header blocks as bytes, right or wrong. */
public final class Frames {
  public static final byte[] SETTINGS = frame(4, 0, 0);

  /** {@code :status: 200}, by its index in the static table. */
  public static final byte[] STATUS_200 = join(new byte[] {(byte) 0x88});

  private static final int MAX_FRAME = 16_384;

  private Frames() {}

  public static byte[] frame(int type, int flags, int stream, byte[]... payload) {
    byte[] all = join(payload);
    return ByteBuffer.allocate(9 + all.length)
        .putInt((all.length << 8) | type)
        .put((byte) flags)
        .putInt(stream)
        .put(all)
        .array();
  }

  public static byte[] settings(int id, int value) {
    return frame(4, 0, 0, ByteBuffer.allocate(6).putShort((short) id).putInt(value).array());
  }

  public static byte[] reset(int stream, int code) {
    return frame(3, 0, stream, number(code));
  }

  public static byte[] goAway(int last, int code) {
    return frame(7, 0, 0, number(last), number(code));
  }

  public static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** A header block, in as many frames as it takes. */
  public static byte[] headers(int stream, boolean end, byte[]... block) {
    return headers(stream, end, MAX_FRAME, block);
  }

  public static byte[] headers(int stream, boolean end, int frameSize, byte[]... block) {
    byte[] all = join(block);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int at = 0; at == 0 || at < all.length; at += frameSize) {
      int to = Math.min(all.length, at + frameSize);
      int flags = (to == all.length ? 4 : 0) | (end && at == 0 ? 1 : 0);
      frames.writeBytes(frame(at == 0 ? 1 : 9, flags, stream, Arrays.copyOfRange(all, at, to)));
    }
    return frames.toByteArray();
  }

  public static byte[] data(int stream, boolean end, byte[]... data) {
    return frame(0, end ? 1 : 0, stream, data);
  }

  /** A header that is not indexed, its name in full. */
  public static byte[] field(String name, String value) {
    return join(new byte[] {0}, string(name), string(value));
  }

  /** A header that is indexed, its name in full. */
  public static byte[] indexed(String name, String value) {
    return join(new byte[] {0x40}, string(name), string(value));
  }

  private static byte[] string(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 5);
    int rest = bytes.length - 127;
    out.write(Math.min(127, bytes.length));
    for (; rest >= 128; rest >>= 7) {
      out.write((rest & 0x7f) | 0x80);
    }
    if (bytes.length >= 127) {
      out.write(rest);
    }
    out.writeBytes(bytes);
    return out.toByteArray();
  }

  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** Reads the preface of a client. */
  public static void preface(ScriptedServer.Connection from) throws IOException {
    read(from.in(), 24);
  }

  /** Reads frames up to the first of a type; {@return its stream} */
  public static int await(ScriptedServer.Connection from, int type) throws IOException {
    while (true) {
      ByteBuffer head = ByteBuffer.wrap(read(from.in(), 9));
      int first = head.getInt();
      head.get();
      int stream = head.getInt();
      read(from.in(), first >>> 8);
      if ((first & 0xff) == type) {
        return stream;
      }
    }
  }

  /** Reads frames up to one that opens the connection's window; {@return by how much} */
  public static int awaitWindow(ScriptedServer.Connection from) throws IOException {
    while (true) {
      ByteBuffer head = ByteBuffer.wrap(read(from.in(), 9));
      int first = head.getInt();
      head.get();
      int stream = head.getInt();
      byte[] payload = read(from.in(), first >>> 8);
      if ((first & 0xff) == 8 && stream == 0) {
        return ByteBuffer.wrap(payload).getInt();
      }
    }
  }

  /** Reads until the client is gone. */
  public static void drain(ScriptedServer.Connection from) throws IOException {
    from.in().transferTo(OutputStream.nullOutputStream());
  }

  public static void send(ScriptedServer.Connection to, byte[]... parts) throws IOException {
    to.out().write(join(parts));
    to.out().flush();
  }

  private static byte[] read(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }
}
