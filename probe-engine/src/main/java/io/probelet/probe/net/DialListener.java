package io.probelet.probe.net;

import io.netty.channel.Channel;

/** Takes what became of a dial, on the attempt's loop; exactly one call, none once it is over. */
public interface DialListener {
  /**
   * The connection stands, TLS included. Nothing has been read yet: handlers added to the pipeline
   * now miss nothing, and reading begins when this method returns.
   *
   * @param channel closed by the attempt when that is over
   * @param protocol agreed on by ALPN, or empty
   */
  void connected(Channel channel, String protocol);

  /**
   * There is no connection.
   *
   * @param failure why
   */
  void failed(NetFailure failure);
}
