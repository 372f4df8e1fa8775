package io.probelet.remediator.controller;

import io.probelet.kube.ApiResult;

/** What a decision needs could not be read. */
final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient ApiResult answer;

  /**
   * Reports it.
   *
   * @param what could not be read
   * @param answer what the API server answered instead
   */
  UnreadableException(String what, ApiResult answer) {
    super(what + " cannot be read: " + answer.summary());
    this.answer = answer;
  }

  ApiResult answer() {
    return answer;
  }
}
