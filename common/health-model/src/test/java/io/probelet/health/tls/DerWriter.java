package io.probelet.health.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Writes DER for certificates that no tool can create. */
public final class DerWriter {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private DerWriter() {}

  /** An element. */
  public static byte[] tagged(int tag, byte[]... contents) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] each : contents) {
      content.writeBytes(each);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.size();
    if (length >= 0x80) {
      int bytes = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
      out.write(0x80 | bytes);
      for (int i = bytes - 1; i > 0; i--) {
        out.write(length >> (8 * i));
      }
    }
    out.write(length);
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  /** A sequence. */
  public static byte[] sequence(byte[]... contents) {
    return tagged(0x30, contents);
  }

  /** An object identifier. */
  public static byte[] oid(String dotted) {
    long[] parts =
        Pattern.compile("\\.").splitAsStream(dotted).mapToLong(Long::parseLong).toArray();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write((int) (parts[0] * 40 + parts[1]));
    for (int i = 2; i < parts.length; i++) {
      for (int shift = 56; shift > 0; shift -= 7) {
        if (parts[i] >> shift != 0) {
          out.write((int) ((parts[i] >> shift) & 0x7f) | 0x80);
        }
      }
      out.write((int) (parts[i] & 0x7f));
    }
    return tagged(0x06, out.toByteArray());
  }

  /** An integer. */
  public static byte[] integer(long value) {
    return tagged(0x02, BigInteger.valueOf(value).toByteArray());
  }

  /** TRUE. */
  public static byte[] yes() {
    return tagged(0x01, new byte[] {-1});
  }

  /** A string of bytes. */
  public static byte[] octets(byte[] content) {
    return tagged(0x04, content);
  }

  /** A string of bits that fill their bytes. */
  public static byte[] bits(byte[] content) {
    return tagged(0x03, new byte[1], content);
  }

  /** Text under some tag. */
  public static byte[] text(int tag, String text) {
    return tagged(tag, text.getBytes(StandardCharsets.UTF_8));
  }

  /** A point in time. */
  public static byte[] time(Instant time) {
    return text(0x18, TIME.format(time));
  }

  /** Bytes in hexadecimal. */
  public static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
