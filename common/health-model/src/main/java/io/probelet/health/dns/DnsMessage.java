package io.probelet.health.dns;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A DNS query or answer (RFC 1035). Answers are hostile input: a name points backwards only and has
 * at most 255 bytes, and no more than {@link #MAX_RECORDS} records are read.
 */
public final class DnsMessage {
  /** More than fit into an answer by UDP; further ones make the answer malformed. */
  public static final int MAX_RECORDS = 256;

  private static final int HEADER = 12;
  private static final int ANSWER = 0x80;
  private static final int TRUNCATED = 0x02;
  private static final int RECURSION_WANTED = 0x01;
  private static final int LONGEST_LABEL = 63;
  private static final int LONGEST_NAME = 255;
  private static final int POINTER = 0xc0;
  private static final int INTERNET = 1;
  private static final List<String> CODES =
      List.of("NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED");

  private final byte[] bytes;
  private final int length;

  private DnsMessage(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /**
   * {@return a message as it came}
   *
   * @param bytes from the start
   * @param length how many of them
   */
  public static DnsMessage of(byte[] bytes, int length) {
    return new DnsMessage(Arrays.copyOf(bytes, length), length);
  }

  /**
   * {@return a query that wants recursion}
   *
   * @param id of the query, of which 16 bits count
   * @param name with or without a dot at its end; empty for the root
   * @param type of the records
   */
  public static DnsMessage question(int id, String name, DnsType type) {
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
    out.writeBytes(new byte[] {0, (byte) type.code(), 0, INTERNET});
    return new DnsMessage(out.toByteArray(), out.size());
  }

  /** {@return the message; not changed by the caller} */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * {@return whether this answers a question} Servers that cannot read one may leave it out of
   * their answer.
   *
   * @param question with its id
   */
  public boolean answers(DnsMessage question) {
    if (length < HEADER
        || (bytes[2] & ANSWER) == 0
        || bytes[0] != question.bytes[0]
        || bytes[1] != question.bytes[1]) {
      return false;
    }
    int asked = number(4);
    if (asked == 0) {
      return code() != 0;
    }
    return asked == 1
        && length >= question.length
        && text(HEADER, question.length).equalsIgnoreCase(question.text(HEADER, question.length));
  }

  /** Bytes as characters, of which the cases of ASCII letters can be compared. */
  private String text(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** {@return the response code; 0 for success} */
  public int code() {
    return bytes[3] & 0x0f;
  }

  /** {@return the response code's name, such as NXDOMAIN} */
  public String codeName() {
    return code() < CODES.size() ? CODES.get(code()) : "code " + code();
  }

  /** {@return the names of response codes that have one} */
  public static List<String> codeNames() {
    return CODES;
  }

  /** {@return whether the answer does not fit, so that the question has to be asked by TCP} */
  public boolean truncated() {
    return (bytes[2] & TRUNCATED) != 0;
  }

  /**
   * {@return the data of the records of one type in the answer, as zone files write it, names in
   * lower case without a dot at their end; empty if the message is malformed}
   *
   * @param type of the records
   */
  public Optional<List<String>> records(DnsType type) {
    try {
      return Optional.of(read(type));
    } catch (MalformedException | IndexOutOfBoundsException malformed) {
      return Optional.empty();
    }
  }

  private List<String> read(DnsType type) throws MalformedException {
    int at = HEADER;
    for (int i = number(4); i > 0; i--) {
      at = name(at, new StringBuilder()) + 4;
    }
    int count = number(6);
    if (count > MAX_RECORDS) {
      throw new MalformedException();
    }
    List<String> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      at = name(at, new StringBuilder());
      int data = at + 10;
      int end = data + number(at + 8);
      if (end > length) {
        throw new MalformedException();
      }
      if (number(at) == type.code() && number(at + 2) == INTERNET) {
        found.add(data(type, data, end));
      }
      at = end;
    }
    return found;
  }

  private String data(DnsType type, int from, int end) throws MalformedException {
    StringBuilder text = new StringBuilder();
    int read =
        switch (type) {
          case A -> address(from, end, 4, text);
          case AAAA -> address(from, end, 16, text);
          case NS, CNAME, PTR -> name(from, text);
          case MX -> name(numbers(from, 1, text), text);
          case SRV -> name(numbers(from, 3, text), text);
          case TXT -> strings(from, end, text);
          case SOA -> {
            int names = name(name(from, text), text.append(' '));
            for (int i = 0; i < 5; i++) {
              text.append(' ').append(((long) number(names) << 16) | number(names + 2));
              names += 4;
            }
            yield names;
          }
        };
    if (read != end) {
      throw new MalformedException();
    }
    return text.toString();
  }

  private int address(int from, int end, int size, StringBuilder text) throws MalformedException {
    if (end - from != size) {
      throw new MalformedException();
    }
    try {
      byte[] address = Arrays.copyOfRange(bytes, from, end);
      text.append(InetAddress.getByAddress(address).getHostAddress());
    } catch (UnknownHostException wrongSize) {
      throw new MalformedException();
    }
    return end;
  }

  private int numbers(int from, int count, StringBuilder text) {
    for (int i = 0; i < count; i++) {
      text.append(number(from + 2 * i)).append(' ');
    }
    return from + 2 * count;
  }

  private int strings(int from, int end, StringBuilder text) throws MalformedException {
    int at = from;
    while (at < end) {
      int next = at + 1 + (bytes[at] & 0xff);
      if (next > end) {
        throw new MalformedException();
      }
      text.append(text(at + 1, next));
      at = next;
    }
    return at;
  }

  /** Reads a name and returns where what follows it begins. */
  private int name(int from, StringBuilder text) throws MalformedException {
    int begun = text.length();
    int at = from;
    int earliest = from; // a pointer leads further back than all before it, so there is no loop
    int behind = -1;
    while (true) {
      int size = octet(at);
      if (size == 0) {
        return behind < 0 ? at + 1 : behind;
      }
      if ((size & POINTER) == POINTER) {
        int target = number(at) & 0x3fff;
        behind = behind < 0 ? at + 2 : behind;
        if (target >= earliest) {
          throw new MalformedException();
        }
        earliest = target;
        at = target;
        continue;
      }
      if (size > LONGEST_LABEL || at + 1 + size > length) {
        throw new MalformedException();
      }
      if (text.length() > begun) {
        text.append('.');
      }
      text.append(text(at + 1, at + 1 + size).toLowerCase(Locale.ROOT));
      if (text.length() - begun > LONGEST_NAME) {
        throw new MalformedException();
      }
      at += 1 + size;
    }
  }

  private int octet(int at) throws MalformedException {
    if (at >= length) {
      throw new MalformedException();
    }
    return bytes[at] & 0xff;
  }

  /** Throws beyond the end, which makes the message malformed. */
  private int number(int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }

  /** The message ends early, or breaks a rule. */
  private static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException() {
      super("malformed DNS message", null, false, false);
    }
  }
}
