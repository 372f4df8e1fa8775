package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WatchLinesTest {
  private final List<String> read = new ArrayList<>();
  private final WatchLines lines =
      new WatchLines((bytes, from, length) ->
          read.add(new String(bytes, from, length, StandardCharsets.UTF_8)));

  @Test
  @DisplayName("a line may come in pieces, and a piece may have several lines")
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
  @DisplayName("what never ends is given up")
  void endless() {
    assertThatThrownBy(
            () -> {
              while (true) {
                take("x".repeat(1 << 20));
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a line of more than");
  }

  private void take(String text) throws IOException {
    lines.take(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)).asReadOnlyBuffer());
  }
}
