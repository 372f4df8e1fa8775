package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.probelet.runtime.cri.v1.ExecSyncResponse;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecAnswerTest {
  private static final int KEEP = 10 * 1024;

  private static ExecAnswer read(byte[] message, int pieces) throws InvalidProtocolBufferException {
    ExecAnswer answer = new ExecAnswer(KEEP);
    ByteBuf all = Unpooled.wrappedBuffer(message);
    while (all.readableBytes() > pieces) {
      answer.part(all.readSlice(pieces), false);
    }
    answer.part(all, true);
    return answer.result();
  }

  private static byte[] message(String stdout, String stderr, int exitCode) {
    return ExecSyncResponse.newBuilder()
        .setStdout(ByteString.copyFromUtf8(stdout))
        .setStderr(ByteString.copyFromUtf8(stderr))
        .setExitCode(exitCode)
        .build()
        .toByteArray();
  }

  @ParameterizedTest
  @DisplayName("H-9: both outputs, one after the other, and the exit code, in pieces of any size")
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void pieces(int size) throws Exception {
    ExecAnswer answer = read(message("out".repeat(100), "err", 127), size);

    assertThat(answer.output()).isEqualTo("out".repeat(100) + "err");
    assertThat(answer.exitCode()).isEqualTo(127);
  }

  @Test
  @DisplayName("H-9: an empty answer is exit 0 without output")
  void empty() throws Exception {
    assertThat(read(new byte[0], 10).exitCode()).isZero();
    assertThat(read(message("", "", -1), 1).exitCode()).isEqualTo(-1);
  }

  @ParameterizedTest
  @DisplayName(
      "H-9, C-27: output is cut at the limit, wherever the pieces end, the exit code is not")
  @ValueSource(ints = {1, 16_384})
  void cut(int size) throws Exception {
    ExecAnswer long1 = read(message("a".repeat(KEEP + 1), "never", 3), size);
    assertThat(long1.output()).isEqualTo("a".repeat(KEEP));
    assertThat(long1.exitCode()).isEqualTo(3);

    ExecAnswer long2 = read(message("a".repeat(KEEP - 2), "bcd", 0), size);
    assertThat(long2.output()).isEqualTo("a".repeat(KEEP - 2) + "bc");
  }

  @Test
  @DisplayName("H-9: output that is no UTF-8 is replaced")
  void binary() throws Exception {
    byte[] message =
        ExecSyncResponse.newBuilder()
            .setStdout(ByteString.copyFrom(new byte[] {'a', (byte) 0xff, 0, 'b'}))
            .build()
            .toByteArray();
    assertThat(read(message, 100).output()).isEqualTo("a\ufffd\0b");
  }

  @Test
  @DisplayName("fields that are not known are skipped")
  void unknownFields() throws Exception {
    byte[] fields =
        HexFormat.of()
            .parseHex(
                "0a0161" // stdout "a"
                    + "f80105" // field 31, a number
                    + "21"
                    + "0000000000000000" // field 4, eight bytes
                    + "2d"
                    + "00000000" // field 5, four bytes
                    + "3203616263" // field 6, "abc"
                    + "1802"); // exit code 2
    ExecAnswer answer = read(fields, 1);
    assertThat(answer.output()).isEqualTo("a");
    assertThat(answer.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @DisplayName("an answer that is none is no exit code 0")
  @ValueSource(
      strings = {
        "0a0361", // stdout of three bytes, one there
        "0a", // a tag alone
        "0a80", // within a length
        "18", // exit code without a number
        "0018", // field 0
        "0b00", // a group
        "0f00", // no such type
        "0affffffffffffffffff01", // a length below zero
        "0affffffff7f", // a length above all limits
        "18ffffffffffffffffffff01", // a number of eleven bytes
        "474554202f20485454502f312e310d0a" // another protocol
      })
  void brokenAnswers(String hex) {
    byte[] message = HexFormat.of().parseHex(hex);
    for (int pieces : new int[] {1, 100}) {
      assertThatThrownBy(() -> read(message, pieces))
          .isInstanceOf(InvalidProtocolBufferException.class);
    }
  }

  @Test
  @DisplayName("no message, or half of one, is no answer either")
  void incomplete() {
    assertThatThrownBy(() -> new ExecAnswer(KEEP).result())
        .isInstanceOf(InvalidProtocolBufferException.class);
    ExecAnswer half = new ExecAnswer(KEEP);
    half.part(Unpooled.wrappedBuffer(message("out", "", 0)), false);
    assertThatThrownBy(half::result).isInstanceOf(InvalidProtocolBufferException.class);
  }

  @Test
  @DisplayName("what is taken for an answer protobuf takes too, with the same exit code")
  void likeProtobuf() throws Exception {
    Random random = new Random(20_261_121);
    int taken = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] message = message("out", "err", random.nextInt(300));
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        message[random.nextInt(message.length)] = (byte) random.nextInt(256);
      }
      ExecAnswer answer;
      try {
        answer = read(message, 1 + random.nextInt(message.length));
      } catch (InvalidProtocolBufferException refused) {
        continue;
      }
      taken++;
      assertThat(answer.exitCode())
          .as(HexFormat.of().formatHex(message))
          .isEqualTo(ExecSyncResponse.parseFrom(message).getExitCode());
    }
    assertThat(taken).isBetween(1000, 49_000);
  }
}
