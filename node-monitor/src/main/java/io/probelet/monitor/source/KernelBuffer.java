package io.probelet.monitor.source;

import java.io.IOException;

/** The buffer in which the kernel keeps its newest messages. */
interface KernelBuffer {
  /**
   * {@return how many bytes it holds}
   *
   * @throws IOException if it cannot be asked; the message is for the user
   */
  int size() throws IOException;

  /**
   * Reads its end. Nothing is taken out of it.
   *
   * @param atMost so many bytes; more than a message can have
   * @return whole messages, oldest first, a line each: {@code <PRIORITY>[SECONDS.MICROS] TEXT}
   * @throws IOException if it cannot be read; the message is for the user
   */
  byte[] end(int atMost) throws IOException;
}
