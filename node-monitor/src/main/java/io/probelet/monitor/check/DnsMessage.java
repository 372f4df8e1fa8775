package io.probelet.monitor.check;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A DNS query or answer, with the few fields needed here (RFC 1035). */
final class DnsMessage {
  private static final int HEADER = 12;
  private static final int ANSWER = 0x80;
  private static final int RECURSION_WANTED = 0x01;
  private static final int LONGEST_LABEL = 63;
  private static final int ADDRESS = 1;
  private static final int NAME_SERVER = 2;
  private static final int INTERNET = 1;
  private static final String[] CODES = {
    "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"
  };

  private final byte[] bytes;
  private final int length;

  private DnsMessage(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  static DnsMessage of(byte[] bytes, int length) {
    return new DnsMessage(bytes, length);
  }

  /** Creates a query for the address of a name, or for the root servers if the name is empty. */
  static DnsMessage question(int id, String name) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        new byte[] {
          (byte) (id >> 8), (byte) id, RECURSION_WANTED, 0, 0, 1, 0, 0, 0, 0, 0, 0 // one question
        });
    for (String label : name.split("\\.", -1)) {
      byte[] text = label.getBytes(StandardCharsets.US_ASCII);
      if (text.length > 0) {
        int kept = Math.min(text.length, LONGEST_LABEL);
        out.write(kept);
        out.write(text, 0, kept);
      }
    }
    out.write(0);
    out.writeBytes(new byte[] {0, (byte) (name.isEmpty() ? NAME_SERVER : ADDRESS), 0, INTERNET});
    return of(out.toByteArray(), out.size());
  }

  byte[] bytes() {
    return bytes;
  }

  boolean answers(DnsMessage question) {
    return length >= HEADER
        && (bytes[2] & ANSWER) != 0
        && bytes[0] == question.bytes[0]
        && bytes[1] == question.bytes[1];
  }

  /** The response code; 0 for success. */
  int code() {
    return bytes[3] & 0x0f;
  }

  String codeName() {
    return code() < CODES.length ? CODES[code()] : "code " + code();
  }
}
