package io.probelet.monitor.source;

import java.io.IOException;

/** The kernel's ring buffer with its newest messages. */
interface KernelBuffer {
  /**
   * {@return its size in bytes}
   *
   * @throws IOException if it cannot be read; the message is for the user
   */
  int size() throws IOException;

  /**
   * Reads its end without consuming it.
   *
   * @param atMost the most bytes; larger than any message
   * @return whole messages, oldest first, one per line: {@code <PRIORITY>[SECONDS.MICROS] TEXT}
   * @throws IOException if it cannot be read; the message is for the user
   */
  byte[] end(int atMost) throws IOException;
}
