package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.probelet.runtime.cri.v1.ExecSyncResponse;
import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecAnswerTest {
  private static final int KEEP = 10 * 1024;

  private static ExecAnswer read(byte[] message, int pieces) {
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
  void pieces(int size) {
    ExecAnswer answer = read(message("out".repeat(100), "err", 127), size);

    assertThat(answer.output()).isEqualTo("out".repeat(100) + "err");
    assertThat(answer.exitCode()).isEqualTo(127);
  }

  @Test
  @DisplayName("H-9: an empty answer is exit 0 without output")
  void empty() {
    assertThat(read(new byte[0], 10).exitCode()).isZero();
    assertThat(read(message("", "", -1), 1).exitCode()).isEqualTo(-1);
  }

  @ParameterizedTest
  @DisplayName(
      "H-9, C-27: output is cut at the limit, wherever the pieces end, the exit code is not")
  @ValueSource(ints = {1, 16_384})
  void cut(int size) {
    ExecAnswer long1 = read(message("a".repeat(KEEP + 1), "never", 3), size);
    assertThat(long1.output()).isEqualTo("a".repeat(KEEP));
    assertThat(long1.exitCode()).isEqualTo(3);

    ExecAnswer long2 = read(message("a".repeat(KEEP - 2), "bcd", 0), size);
    assertThat(long2.output()).isEqualTo("a".repeat(KEEP - 2) + "bc");
  }

  @Test
  @DisplayName("H-9: output that is no UTF-8 is replaced")
  void binary() {
    byte[] message =
        ExecSyncResponse.newBuilder()
            .setStdout(ByteString.copyFrom(new byte[] {'a', (byte) 0xff, 0, 'b'}))
            .build()
            .toByteArray();
    assertThat(read(message, 100).output()).isEqualTo("a\ufffd\0b");
  }

  @Test
  @DisplayName("fields that are not known are skipped")
  void unknownFields() {
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
}
