package io.probelet.health.tls;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads DER from front to back. Everything malformed is a {@link CertificateException}. */
final class DerReader {
  static final int BOOLEAN = 0x01;
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int OID = 0x06;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  private static final int MAX_LENGTH_BYTES = 3;
  private static final int MULTI_BYTE_TAG = 0x1f;

  private final byte[] der;
  private final int end;
  private int at;

  private DerReader(byte[] der, int from, int end) {
    this.der = der;
    this.at = from;
    this.end = end;
  }

  static DerReader of(byte[] der) {
    return new DerReader(der, 0, der.length);
  }

  boolean isEmpty() {
    return at == end;
  }

  /** {@return the next element's tag; -1 at the end} */
  int peek() {
    return isEmpty() ? -1 : der[at] & 0xff;
  }

  /** {@return the content of the next element, which must have this tag} */
  DerReader read(int tag) throws CertificateException {
    if (peek() != tag) {
      throw malformed();
    }
    return next();
  }

  /** {@return the content of the next element, whatever it is} */
  DerReader next() throws CertificateException {
    int start = contentStart();
    at = contentEnd(start);
    return new DerReader(der, start, at);
  }

  /** {@return the next element with its tag and length, which must have this tag} */
  byte[] element(int tag) throws CertificateException {
    int from = at;
    read(tag);
    return Arrays.copyOfRange(der, from, at);
  }

  /** Skips the next element if it has this tag. */
  void skip(int tag) throws CertificateException {
    if (peek() == tag) {
      next();
    }
  }

  private int contentStart() throws CertificateException {
    if (end - at < 2 || (der[at] & MULTI_BYTE_TAG) == MULTI_BYTE_TAG) {
      throw malformed();
    }
    int first = der[at + 1] & 0xff;
    int start = at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    if (first == 0x80 || start - at - 2 > MAX_LENGTH_BYTES || start > end) {
      throw malformed();
    }
    return start;
  }

  private int contentEnd(int start) throws CertificateException {
    int length = der[at + 1] & 0xff;
    if (length >= 0x80) {
      length = 0;
      for (int i = at + 2; i < start; i++) {
        length = (length << 8) | (der[i] & 0xff);
      }
    }
    if (length > end - start) {
      throw malformed();
    }
    return start + length;
  }

  /** {@return the content that has not been read} */
  byte[] rest() {
    return Arrays.copyOfRange(der, at, end);
  }

  /** {@return the same, one char a byte: it compares and hashes} */
  String restAsText() {
    return new String(der, at, end - at, StandardCharsets.ISO_8859_1);
  }

  /** {@return the same in hexadecimal, as object identifiers are compared} */
  String restAsHex() {
    return HexFormat.of().formatHex(der, at, end);
  }

  /** {@return this content as an integer in its shortest form} */
  BigInteger integer() throws CertificateException {
    byte[] bytes = rest();
    if (bytes.length == 0
        || (bytes.length > 1
            && ((bytes[0] == 0 && bytes[1] >= 0) || (bytes[0] == -1 && bytes[1] < 0)))) {
      throw malformed();
    }
    return new BigInteger(bytes);
  }

  /** {@return this content as an integer, the largest int if it is larger} */
  int count() throws CertificateException {
    BigInteger value = integer();
    if (value.bitLength() > Long.SIZE - 1) {
      throw malformed();
    }
    return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, value.longValue()));
  }

  /** {@return this content as bits, behind a byte that says how many at the end are unused} */
  byte[] bits() throws CertificateException {
    byte[] bits = rest();
    boolean unused = bits.length > 0 && bits[0] > 0;
    if (bits.length == 0
        || bits[0] < 0
        || bits[0] >= Byte.SIZE
        || (unused && (bits.length == 1 || (bits[bits.length - 1] & ((1 << bits[0]) - 1)) != 0))) {
      throw malformed();
    }
    return bits;
  }

  /** {@return this content as a truth value} */
  boolean bool() throws CertificateException {
    if (end - at != 1 || (der[at] != 0 && der[at] != -1)) {
      throw malformed();
    }
    return der[at] != 0;
  }

  static CertificateParsingException malformed() {
    return new CertificateParsingException("x509: malformed certificate");
  }
}
