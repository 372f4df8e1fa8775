package io.probelet.probe.net;

/** The bytes of one connection, out of sight what carries them. Lives on its loop. */
public interface Wire {
  /**
   * Sends a message; at most one per connection.
   *
   * @param message not changed afterwards
   */
  void send(byte[] message);
}
