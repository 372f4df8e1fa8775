package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Term;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * Writes statuses beside the loop, for as long as the term lasts.
 *
 * @param api the API server
 * @param term for how long it may write
 * @param loop takes what came of it
 * @param threads for requests
 */
record StatusRequests(ApiServer api, Term term, ReconcileLoop loop, Executor threads) {
  /**
   * Sends a patch; nothing comes of it once the term is over.
   *
   * @param path of the object
   * @param type of the patch, such as {@link ApiServer#MERGE_PATCH}
   * @param patch of its status
   * @param answered takes, on the loop, the answer and the object as it is then: that of the
   *     answer, or as it was read after one that failed
   */
  void send(String path, String type, JsonNode patch, BiConsumer<ApiResult, ApiResult> answered) {
    threads.execute(() -> {
      if (term.isOn()) {
        ApiResult answer = api.patch(path + "/status", type, patch);
        ApiResult now = answer instanceof Done ? answer : api.get(path);
        loop.post(() -> answered.accept(answer, now));
      }
    });
  }
}
