package io.probelet.monitor.evidence;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;

/**
 * Writes an archive of regular files in memory (POSIX ustar). A bundle has few files with known
 * names, so no library is needed.
 */
final class TarGzip {
  private static final int BLOCK = 512;
  private static final int MAX_NAME = 100;
  private static final int CHECKSUM_AT = 148;
  private static final int CHECKSUM_BYTES = 8;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final GZIPOutputStream out;
  private final long seconds;

  /** Begins an archive; all files get that modification time. */
  TarGzip(Instant at) {
    seconds = Math.max(0, at.getEpochSecond());
    try {
      out = new GZIPOutputStream(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Adds a file; its name has at most 100 ASCII characters. */
  void add(String name, byte[] content) {
    try {
      out.write(header(name, content.length));
      out.write(content);
      out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private byte[] header(String name, int size) {
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    if (text.length > MAX_NAME) {
      throw new IllegalArgumentException(name + " is longer than " + MAX_NAME + " characters");
    }
    byte[] header = new byte[BLOCK];
    System.arraycopy(text, 0, header, 0, text.length);
    put(header, 100, "0000640\0");
    put(header, 108, "0000000\0"); // owner and group
    put(header, 116, "0000000\0");
    put(header, 124, "%011o\0".formatted(size));
    put(header, 136, "%011o\0".formatted(seconds));
    put(header, CHECKSUM_AT, " ".repeat(CHECKSUM_BYTES)); // counts as spaces in the checksum
    put(header, 156, "0");
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte each : header) {
      sum += each & 0xff;
    }
    put(header, CHECKSUM_AT, "%06o\0 ".formatted(sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] field = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(field, 0, header, at, field.length);
  }

  /** {@return the complete archive; nothing can be added afterwards} */
  byte[] finish() {
    try {
      out.write(new byte[2 * BLOCK]);
      out.finish();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
