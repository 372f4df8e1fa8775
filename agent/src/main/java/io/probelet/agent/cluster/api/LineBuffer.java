package io.probelet.agent.cluster.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Cuts bytes, in whatever pieces they come, into lines of UTF-8. */
final class LineBuffer {
  /** An object of the API server is at most 3 MiB as JSON, usually less than 20 KiB. */
  private static final int USUAL_BYTES = 32 * 1024;

  private ByteArrayOutputStream begun = new ByteArrayOutputStream();

  /** Takes one piece and passes on the lines that are now complete, empty ones left out. */
  synchronized void add(ByteBuffer piece, Consumer<String> line) {
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    int from = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        begun.write(bytes, from, at - from);
        from = at + 1;
        if (begun.size() > 0) {
          line.accept(begun.toString(StandardCharsets.UTF_8));
        }
        begin();
      }
    }
    begun.write(bytes, from, bytes.length - from);
  }

  /** Begins a line; room for an unusually long one is given back. */
  private void begin() {
    if (begun.size() > USUAL_BYTES) {
      begun = new ByteArrayOutputStream();
    } else {
      begun.reset();
    }
  }

  /** {@return what came after the last line break} */
  synchronized String rest() {
    return begun.toString(StandardCharsets.UTF_8);
  }
}
