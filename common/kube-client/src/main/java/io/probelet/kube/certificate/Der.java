package io.probelet.kube.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/** Encodes the few ASN.1 types of a certificate (X.690). */
final class Der {
  private static final DateTimeFormatter SHORT =
      DateTimeFormatter.ofPattern("uuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter LONG =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final Instant LONG_FROM = Instant.parse("2050-01-01T00:00:00Z");
  private static final int BITS = 7;

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, concatenated(parts));
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, concatenated(parts));
  }

  /** Context-specific and constructed: an explicit tag, or an implicit one on a sequence. */
  static byte[] explicit(int number, byte[] part) {
    return tagged(0xa0 | number, part);
  }

  /** A dNSName among general names. */
  static byte[] dnsName(String name) {
    return tagged(0x82, name.getBytes(StandardCharsets.US_ASCII));
  }

  /** An iPAddress among general names; in a constraint, address and mask. */
  static byte[] ipAddress(byte[] address) {
    return tagged(0x87, address);
  }

  static byte[] nothing() {
    return tagged(0x05, new byte[0]);
  }

  /** The first element of a sequence, in its encoded form. */
  static byte[] first(byte[] sequence) {
    int from = 1 + lengthBytes(sequence, 1);
    return Arrays.copyOfRange(
        sequence, from, from + 1 + lengthBytes(sequence, from + 1) + length(sequence, from + 1));
  }

  private static int lengthBytes(byte[] encoded, int at) {
    return (encoded[at] & 0x80) == 0 ? 1 : 1 + (encoded[at] & 0x7f);
  }

  private static int length(byte[] encoded, int at) {
    int length = encoded[at] & 0x7f;
    if ((encoded[at] & 0x80) != 0) {
      int bytes = length;
      length = 0;
      for (int i = 1; i <= bytes; i++) {
        length = (length << 8) | (encoded[at + i] & 0xff);
      }
    }
    return length;
  }

  static byte[] integer(BigInteger number) {
    return tagged(0x02, number.toByteArray());
  }

  static byte[] bool(boolean value) {
    return tagged(0x01, new byte[] {(byte) (value ? 0xff : 0)});
  }

  static byte[] octets(byte[] content) {
    return tagged(0x04, content);
  }

  static byte[] bits(byte[] content, int unused) {
    byte[] all = new byte[content.length + 1];
    all[0] = (byte) unused;
    System.arraycopy(content, 0, all, 1, content.length);
    return tagged(0x03, all);
  }

  static byte[] utf8(String text) {
    return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant moment) {
    // RFC 5280: the format depends on the year.
    return moment.isBefore(LONG_FROM)
        ? tagged(0x17, SHORT.format(moment).getBytes(StandardCharsets.US_ASCII))
        : tagged(0x18, LONG.format(moment).getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] oid(String dotted) {
    int[] arcs = Arrays.stream(dotted.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(arcs[0] * 40 + arcs[1]);
    for (int i = 2; i < arcs.length; i++) {
      int arc = arcs[i];
      for (int shift = 28; shift > 0; shift -= BITS) {
        if (arc >>> shift != 0) {
          out.write(0x80 | ((arc >>> shift) & 0x7f));
        }
      }
      out.write(arc & 0x7f);
    }
    return tagged(0x06, out.toByteArray());
  }

  static byte[] concatenated(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >>> 8);
      out.write(length & 0xff);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }
}
