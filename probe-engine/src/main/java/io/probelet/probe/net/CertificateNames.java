package io.probelet.probe.net;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Writes a name where a certificate has an empty one, which leaves everything else as it is; its
 * signature is no longer that of its content.
 */
final class CertificateNames {
  private static final int SEQUENCE = 0x30;
  private static final int VERSION = 0xa0;

  /** A name of one part: CN=- */
  private static final byte[] SOMEBODY = HexFormat.of().parseHex("300c310a300806035504030c012d");

  private final byte[] der;
  private int at;
  private int contentEnd;

  private CertificateNames(byte[] der) {
    this.der = der;
  }

  /** {@return the certificate with names, or null if it lacks none or is no certificate} */
  static byte @Nullable [] fillIn(byte[] der) {
    try {
      return new CertificateNames(der).filledIn();
    } catch (IndexOutOfBoundsException malformed) {
      return null;
    }
  }

  /** Certificate ::= { { [0] version, serial, algorithm, issuer, validity, subject, … }, … } */
  private byte @Nullable [] filledIn() {
    enter(SEQUENCE);
    enter(SEQUENCE);
    int content = at;
    int end = contentEnd;
    if (tag() == VERSION) {
      skip();
    }
    skip();
    skip();
    int issuer = at;
    skip();
    int validity = at;
    skip();
    int subject = at;
    skip();
    int key = at;
    boolean noIssuer = validity - issuer == 2;
    boolean noSubject = key - subject == 2;
    if (der[issuer] != SEQUENCE || der[subject] != SEQUENCE || !(noIssuer || noSubject)) {
      return null;
    }
    ByteArrayOutputStream signed = new ByteArrayOutputStream(der.length + 32);
    signed.write(der, content, issuer - content);
    signed.writeBytes(noIssuer ? SOMEBODY : Arrays.copyOfRange(der, issuer, validity));
    signed.write(der, validity, subject - validity);
    signed.writeBytes(noSubject ? SOMEBODY : Arrays.copyOfRange(der, subject, key));
    signed.write(der, key, end - key);
    ByteArrayOutputStream all = new ByteArrayOutputStream(der.length + 40);
    all.writeBytes(sequence(signed.toByteArray()));
    all.write(der, end, der.length - end);
    return sequence(all.toByteArray());
  }

  private int tag() {
    return der[at] & 0xff;
  }

  /** Goes to the content of a structure. */
  private void enter(int tag) {
    if (tag() != tag) {
      throw new IndexOutOfBoundsException("not a " + tag);
    }
    contentEnd = header();
  }

  private void skip() {
    at = header();
  }

  /** Reads tag and length; {@return where the content ends} */
  private int header() {
    at++;
    int length = der[at++] & 0xff;
    if (length >= 0x80) {
      int bytes = length & 0x7f;
      if (bytes == 0 || bytes > 3) {
        throw new IndexOutOfBoundsException("a length of " + bytes + " bytes");
      }
      length = 0;
      for (int i = 0; i < bytes; i++) {
        length = (length << 8) | (der[at++] & 0xff);
      }
    }
    if (length > der.length - at) {
      throw new IndexOutOfBoundsException("more than there is");
    }
    return at + length;
  }

  private static byte[] sequence(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 5);
    out.write(SEQUENCE);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      int bytes = content.length < 0x100 ? 1 : content.length < 0x10000 ? 2 : 3;
      out.write(0x80 | bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        out.write(content.length >> (8 * i));
      }
    }
    out.writeBytes(content);
    return out.toByteArray();
  }
}
