package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Puts messages together that come in parts. Holds unpooled memory, which needs no release. */
public final class MessageAssembly {
  private @Nullable ByteBuf begun;

  /** Creates an assembly without parts. */
  public MessageAssembly() {}

  /**
   * Adds a part.
   *
   * @param part as it came
   * @param last as it came
   * @return the whole message when this was its last part, else null; no longer valid than the part
   */
  public @Nullable ByteBuf add(ByteBuf part, boolean last) {
    if (begun == null) {
      if (last) {
        return part;
      }
      begun = Unpooled.buffer(2 * part.readableBytes());
    }
    begun.writeBytes(part);
    if (!last) {
      return null;
    }
    ByteBuf whole = begun;
    begun = null;
    return whole;
  }
}
