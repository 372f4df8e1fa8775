package io.probelet.nodehealth.controller;

import io.probelet.kube.ApiResult;
import java.util.function.Function;

/** What comes next of an action: a request, or its end. */
sealed interface ActionStep {
  /**
   * Send a request.
   *
   * @param request which
   * @param then decides by its result what comes next
   */
  record Send(ApiRequest request, Function<ApiResult, ActionStep> then) implements ActionStep {
    /** A last request, whose result is the action's. */
    static Send last(ApiRequest request) {
      return new Send(request, Finished::new);
    }
  }

  /**
   * Nothing more is to be sent.
   *
   * @param result what came of the action
   */
  record Finished(ApiResult result) implements ActionStep {}
}
