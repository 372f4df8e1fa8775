package io.probelet.health.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of DNS servers, byte by byte, and those that mean harm (H-15). */
class DnsMessageTest {
  private static final int ID = 0x1234;

  private static DnsMessage question(DnsType type) {
    return DnsMessage.question(ID, "Shop.Example.", type);
  }

  /** An answer with so many records, which the caller writes. */
  private static byte[] answer(DnsType type, int count, byte[]... records) {
    byte[] question = question(type).bytes();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(question);
    for (byte[] record : records) {
      out.writeBytes(record);
    }
    byte[] answer = out.toByteArray();
    answer[2] |= (byte) 0x80;
    answer[6] = (byte) (count >> 8);
    answer[7] = (byte) count;
    return answer;
  }

  /** A record whose name points to the question's. */
  private static byte[] record(DnsType type, byte[] data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0xc0, 12, 0, (byte) type.code(), 0, 1, 0, 0, 0, 60});
    out.write(data.length >> 8);
    out.write(data.length);
    out.writeBytes(data);
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static DnsMessage of(byte[] bytes) {
    return DnsMessage.of(bytes, bytes.length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "A|0a600001|10.96.0.1",
        "AAAA|fd000000000000000000000000000007|fd00:0:0:0:0:0:0:7",
        "CNAME|0361424300|abc",
        "NS|036e7331c00c|ns1.shop.example",
        "PTR|c00c|shop.example",
        "MX|000a046d61696cc00c|10 mail.shop.example",
        "SRV|00010002005001780162 00|1 2 80 x.b",
        "TXT|0561206220630164|a b cd",
        "SOA|c00c0161000000000700000001000000020000000300000004|shop.example a 7 1 2 3 4",
      })
  @DisplayName("the data of each type, names resolved and in lower case")
  void types(DnsType type, String hex, String text) {
    byte[] data = HexFormat.of().parseHex(hex.replace(" ", ""));
    DnsMessage answer = of(answer(type, 1, record(type, data)));
    assertThat(answer.answers(question(type))).isTrue();
    assertThat(answer.records(type).orElseThrow()).containsExactly(text);
  }

  @Test
  @DisplayName("records of other types, such as the CNAMEs on the way, are passed over")
  void others() {
    byte[] alias = record(DnsType.CNAME, new byte[] {1, 'x', 0});
    byte[] address = record(DnsType.A, new byte[] {1, 2, 3, 4});
    assertThat(of(answer(DnsType.A, 2, alias, address)).records(DnsType.A).orElseThrow())
        .containsExactly("1.2.3.4");
    assertThat(of(answer(DnsType.A, 0)).records(DnsType.A).orElseThrow()).isEmpty();
  }

  @Test
  @DisplayName("an answer has the id and the question of the query, in any case of letters")
  void answers() {
    byte[] answer = answer(DnsType.A, 0);
    assertThat(of(answer).answers(DnsMessage.question(ID, "sHOP.eXAMPLE", DnsType.A))).isTrue();
    assertThat(of(answer).answers(DnsMessage.question(ID + 1, "shop.example", DnsType.A)))
        .isFalse();
    assertThat(of(answer).answers(DnsMessage.question(ID, "bank.example", DnsType.A))).isFalse();
    assertThat(of(answer).answers(question(DnsType.MX))).isFalse();
    assertThat(question(DnsType.A).answers(question(DnsType.A))).as("a question").isFalse();
    assertThat(DnsMessage.of(answer, 11).answers(question(DnsType.A))).as("cut off").isFalse();
    byte[] refusal = {0x12, 0x34, (byte) 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    assertThat(of(refusal).answers(question(DnsType.A))).as("FORMERR without question").isTrue();
    assertThat(of(refusal).codeName()).isEqualTo("FORMERR");
  }

  @Test
  @DisplayName("pointers that loop, or lead forward, make an answer malformed, and end")
  void pointers() {
    int at = question(DnsType.CNAME).bytes().length + 12; // where the record's data begins
    byte[] itself = record(DnsType.CNAME, new byte[] {(byte) 0xc0, (byte) at});
    assertThat(of(answer(DnsType.CNAME, 1, itself)).records(DnsType.CNAME)).isEmpty();
    byte[] forward = record(DnsType.CNAME, new byte[] {(byte) 0xc0, (byte) (at + 2), 0});
    assertThat(of(answer(DnsType.CNAME, 1, forward)).records(DnsType.CNAME)).isEmpty();
    byte[] back = record(DnsType.CNAME, new byte[] {1, 'a', (byte) 0xc0, (byte) at});
    assertThat(of(answer(DnsType.CNAME, 1, back)).records(DnsType.CNAME)).isEmpty();
  }

  @Test
  @DisplayName("names of more than 255 characters and more than 256 records are malformed")
  void bounds() {
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    for (int i = 0; i < 5; i++) {
      labels.write(63);
      labels.writeBytes(bytes("a".repeat(63)));
    }
    labels.write(0);
    byte[] longName = record(DnsType.CNAME, labels.toByteArray());
    assertThat(of(answer(DnsType.CNAME, 1, longName)).records(DnsType.CNAME)).isEmpty();
    byte[][] many = new byte[DnsMessage.MAX_RECORDS + 1][];
    Arrays.fill(many, record(DnsType.A, new byte[] {1, 2, 3, 4}));
    assertThat(of(answer(DnsType.A, many.length, many)).records(DnsType.A)).isEmpty();
    byte[][] enough = Arrays.copyOf(many, DnsMessage.MAX_RECORDS);
    assertThat(of(answer(DnsType.A, enough.length, enough)).records(DnsType.A).orElseThrow())
        .hasSize(DnsMessage.MAX_RECORDS);
  }

  @Test
  @DisplayName(
      "an answer that is cut off anywhere, or has any byte changed, is read without trouble")
  void mutations() {
    byte[] whole =
        answer(
            DnsType.MX,
            2,
            record(DnsType.MX, new byte[] {0, 10, 1, 'm', (byte) 0xc0, 12}),
            record(DnsType.MX, new byte[] {0, 20, 1, 'n', 0}));
    assertThat(of(whole).records(DnsType.MX).orElseThrow())
        .containsExactly("10 m.shop.example", "20 n");
    for (int length = 12; length < whole.length; length++) {
      assertThat(DnsMessage.of(whole, length).records(DnsType.MX)).as("at " + length).isEmpty();
    }
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = whole.clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      of(changed)
          .records(DnsType.MX)
          .ifPresent(found -> assertThat(found).hasSizeLessThanOrEqualTo(256));
    }
  }
}
