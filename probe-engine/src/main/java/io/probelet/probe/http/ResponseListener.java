package io.probelet.probe.http;

import io.probelet.probe.net.NetFailure;

/** Takes the answer to one request. */
interface ResponseListener {
  /**
   * The head of the answer is complete.
   *
   * @return whether the body is wanted; if not, nothing more is reported
   */
  boolean head(HttpResponse answer);

  /** The answer is complete, as far as it is wanted. */
  void complete(HttpResponse answer);

  /**
   * There is no answer, as the server has not processed the request: it may be sent again.
   *
   * @param failure what it comes to if it is not
   */
  default void unprocessed(NetFailure failure) {
    failed(failure);
  }

  /** There is no answer, or no more of it. */
  void failed(NetFailure failure);
}
