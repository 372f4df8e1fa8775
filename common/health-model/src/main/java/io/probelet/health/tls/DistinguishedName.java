package io.probelet.health.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;

/**
 * The displayed parts of a subject or issuer. Names are compared by their bytes only.
 *
 * @param commonName the last common name; empty if there is none
 * @param organization the first organization; empty if there is none
 */
record DistinguishedName(String commonName, String organization) {
  private static final String COMMON_NAME = "550403";
  private static final String ORGANIZATION = "55040a";

  /** Reads a Name; values invalid for their type are rejected, as in Go. */
  static DistinguishedName of(byte[] encoded) throws CertificateException {
    String commonName = "";
    String organization = "";
    DerReader parts = DerReader.of(encoded).read(DerReader.SEQUENCE);
    while (!parts.isEmpty()) {
      DerReader set = parts.read(DerReader.SET);
      while (!set.isEmpty()) {
        DerReader attribute = set.read(DerReader.SEQUENCE);
        String type = attribute.read(DerReader.OID).restAsHex();
        int tag = attribute.peek();
        String value = text(tag, attribute.next().rest());
        if (type.equals(COMMON_NAME)) {
          commonName = value;
        } else if (type.equals(ORGANIZATION) && organization.isEmpty()) {
          organization = value;
        }
      }
    }
    return new DistinguishedName(commonName, organization);
  }

  private static String text(int tag, byte[] value) throws CertificateException {
    return switch (tag) {
      case 0x14 -> new String(value, ISO_8859_1); // T61String
      case 0x0c -> utf8(value);
      case 0x1e -> bmp(value);
      case 0x16 -> limited(value, "IA5String", each -> each < 0x80);
      case 0x12 -> limited(value, "NumericString", each -> each == ' ' || isDigit(each));
      case 0x13 -> limited(value, "PrintableString", DistinguishedName::isPrintable);
      default -> throw invalid("unsupported string type: " + tag);
    };
  }

  private interface Allowed {
    boolean test(int each);
  }

  private static String limited(byte[] value, String type, Allowed allowed)
      throws CertificateException {
    for (byte each : value) {
      if (!allowed.test(each & 0xff)) {
        throw invalid("invalid " + type);
      }
    }
    return new String(value, ISO_8859_1);
  }

  private static boolean isDigit(int each) {
    return '0' <= each && each <= '9';
  }

  /** With * and &, which X.680 does not allow but authorities write. */
  private static boolean isPrintable(int each) {
    return isDigit(each)
        || ('a' <= each && each <= 'z')
        || ('A' <= each && each <= 'Z')
        || " '()+,-./:=?*&".indexOf(each) >= 0;
  }

  private static String utf8(byte[] value) throws CertificateException {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
    } catch (CharacterCodingException malformed) {
      throw new CertificateParsingException(text("invalid UTF-8 string"), malformed);
    }
  }

  private static String bmp(byte[] value) throws CertificateException {
    String text = new String(value, UTF_16BE);
    boolean odd = value.length % 2 != 0;
    if (odd || text.chars().anyMatch(each -> isReserved((char) each))) {
      throw invalid("invalid BMPString");
    }
    return text.endsWith("\0") ? text.substring(0, text.length() - 1) : text;
  }

  private static boolean isReserved(char each) {
    return Character.isSurrogate(each) || each >= 0xfffe || (0xfdd0 <= each && each <= 0xfdef);
  }

  private static CertificateParsingException invalid(String why) {
    return new CertificateParsingException(text(why));
  }

  private static String text(String why) {
    return "x509: invalid RDNSequence: invalid attribute value: " + why;
  }
}
