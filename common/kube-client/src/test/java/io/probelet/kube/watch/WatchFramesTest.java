package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WatchFramesTest {
  private final List<String> read = new ArrayList<>();
  private final AtomicInteger tooLong = new AtomicInteger();
  private final WatchFrames frames = frames();

  private WatchFrames frames() {
    return new WatchFrames(
        (bytes, from, length) -> read.add(new String(bytes, from, length, StandardCharsets.UTF_8)),
        (bytes, from, length) ->
            read.add("message " + new String(bytes, from, length, StandardCharsets.UTF_8)),
        tooLong::incrementAndGet);
  }

  @Test
  @DisplayName("a line may span chunks, and a chunk may contain several lines")
  void pieces() throws IOException {
    take("on");
    assertThat(read).isEmpty();
    take("e\ntwo\nthr");
    assertThat(read).containsExactly("one", "two");
    take("ee\n");
    assertThat(read).containsExactly("one", "two", "three");
  }

  @Test
  @DisplayName("after a large line small ones are read as before")
  void large() throws IOException {
    String large = "x".repeat(300_000);
    take(large.substring(0, 200_000));
    take(large.substring(200_000) + "\nsma");
    take("ll\n");
    assertThat(read).containsExactly(large, "small");
  }

  @Test
  @DisplayName("a line that is too long is skipped, and the next one is read")
  void endless() throws IOException {
    take("one\n");
    for (int i = 0; i < 40; i++) {
      take("x".repeat(1 << 20));
    }
    take("end\ntwo\n");
    assertThat(read).containsExactly("one", "two");
    assertThat(tooLong).hasValue(1);
  }

  @Test
  @DisplayName("a message that is too long is skipped, in any chunks")
  void endlessMessage() throws IOException {
    int length = WatchFrames.LONGEST + 1;
    byte[] all =
        ByteBuffer.allocate(length + 13)
            .putInt(length)
            .position(length + 4)
            .putInt(5)
            .put("small".getBytes(StandardCharsets.UTF_8))
            .array();
    for (int piece : new int[] {all.length, 1 << 16, 1_000_003}) {
      read.clear();
      tooLong.set(0);
      WatchFrames anew = frames();
      for (int from = 0; from < all.length; from += piece) {
        anew.take(ByteBuffer.wrap(all, from, Math.min(piece, all.length - from)));
      }
      assertThat(read).containsExactly("message small");
      assertThat(tooLong).hasValue(1);
    }
  }

  @Test
  @DisplayName("a message and its length may span chunks, and a chunk may contain several messages")
  void messages() throws IOException {
    byte[] large = "x".repeat(300_000).getBytes(StandardCharsets.UTF_8);
    byte[] all =
        ByteBuffer.allocate(large.length + 20)
            .putInt(3)
            .put(new byte[] {'o', 'n', 'e'})
            .putInt(0)
            .putInt(large.length)
            .put(large)
            .putInt(1)
            .put((byte) '\n')
            .array();
    for (int piece : new int[] {all.length, 1, 3, 5, 70_000}) {
      read.clear();
      WatchFrames anew = frames();
      for (int from = 0; from < all.length; from += piece) {
        anew.take(ByteBuffer.wrap(all, from, Math.min(piece, all.length - from)));
      }
      assertThat(read)
          .as("pieces of %d bytes", piece)
          .containsExactly(
              "message one",
              "message ",
              "message " + new String(large, StandardCharsets.UTF_8),
              "message \n");
    }
  }

  @Test
  @DisplayName("a message with an impossible length is rejected immediately")
  void longMessage() throws IOException {
    for (int length : new int[] {1 << 24, Integer.MAX_VALUE, -1}) {
      WatchFrames anew = frames();
      anew.take(ByteBuffer.wrap(new byte[] {0, 0, 0, 0}));
      assertThatThrownBy(() -> anew.take(ByteBuffer.allocate(4).putInt(length).flip()))
          .as("%d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("event exceeds");
    }
  }

  private void take(String text) throws IOException {
    frames.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer());
  }
}
