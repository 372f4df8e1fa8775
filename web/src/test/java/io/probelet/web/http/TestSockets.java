package io.probelet.web.http;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** What a client sees of its connection. */
public final class TestSockets {
  private TestSockets() {}

  /** Whether the server has not ended it. */
  public static boolean isOpen(Socket socket) {
    try {
      socket.setSoTimeout(1);
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException quiet) {
      return true;
    } catch (IOException ended) {
      return false;
    }
  }
}
