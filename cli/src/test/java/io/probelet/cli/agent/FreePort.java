package io.probelet.cli.agent;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port for a program that has to be told one. */
public final class FreePort {
  private FreePort() {}

  /** One that no client is given before the program listens on it, the program itself included. */
  public static int choose() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException taken) {
        // another one, then
      }
    }
  }
}
