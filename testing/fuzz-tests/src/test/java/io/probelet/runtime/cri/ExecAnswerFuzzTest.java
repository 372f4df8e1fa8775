package io.probelet.runtime.cri;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.probelet.fuzz.Bounded;
import java.util.Optional;

/** What a container runtime says an exec probe came to. */
class ExecAnswerFuzzTest {
  private static final int KEPT = 64;

  @FuzzTest
  void answer(byte[] data) throws Exception {
    Bounded.run(() -> {
      Optional<ExecAnswer> whole = read(data, Math.max(1, data.length));
      Optional<ExecAnswer> bytes = read(data, 1);
      Bounded.check(whole.isPresent() == bytes.isPresent(), "another answer in other pieces");
      if (whole.isPresent() && bytes.isPresent()) {
        Bounded.check(
            whole.get().output().equals(bytes.get().output())
                && whole.get().exitCode() == bytes.get().exitCode(),
            "another answer in other pieces");
        Bounded.check(whole.get().output().length() <= KEPT, "more output than is kept");
      }
    });
  }

  private static Optional<ExecAnswer> read(byte[] data, int size) {
    ExecAnswer answer = new ExecAnswer(KEPT);
    ByteBuf all = Unpooled.wrappedBuffer(data);
    while (all.readableBytes() > size) {
      answer.part(all.readSlice(size), false);
    }
    answer.part(all, true);
    try {
      return Optional.of(answer.result());
    } catch (InvalidProtocolBufferException declared) {
      return Optional.empty();
    }
  }
}
