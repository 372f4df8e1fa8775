package io.probelet.probe.net;

/**
 * Takes what a {@link Wire} brings, on its loop. Nothing comes once the attempt is over, except
 * that a call under way may end it.
 */
public interface WireListener {
  /**
   * The connection stands.
   *
   * @param wire to send with
   */
  void connected(Wire wire);

  /**
   * Bytes came in.
   *
   * @param bytes valid during the call only, from the start
   * @param length how many, at least one
   */
  void received(byte[] bytes, int length);

  /** The peer has ended the connection in good order. */
  void ended();

  /**
   * There is no connection, or no more of it.
   *
   * @param failure why
   */
  void failed(NetFailure failure);
}
