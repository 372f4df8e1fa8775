package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SinkTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6, 7, 100})
  void aMessageIsTheSameWhateverLengthWasExpected(int expected) throws Exception {
    Sink.Whole sink = new Sink.Whole(expected);
    part(sink, "ab", false);
    part(sink, "c", false);
    part(sink, "def", true);

    assertThat(sink.result()).asString(StandardCharsets.UTF_8).isEqualTo("abcdef");
  }

  @Test
  void ofSeveralMessagesTheLastIsKept() throws Exception {
    Sink.Whole sink = new Sink.Whole();
    part(sink, "abcdef", true);
    part(sink, "g", false);
    part(sink, "hi", true);

    assertThat(sink.result()).asString(StandardCharsets.UTF_8).isEqualTo("ghi");
  }

  @Test
  void anEmptyMessageIsOneAndNoneIsNot() throws Exception {
    Sink.Whole sink = new Sink.Whole();
    assertThatThrownBy(sink::result).isInstanceOf(InvalidProtocolBufferException.class);
    part(sink, "", true);
    assertThat(sink.result()).isEmpty();
  }

  private static void part(Sink<?> sink, String text, boolean last) {
    sink.part(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8), last);
  }
}
