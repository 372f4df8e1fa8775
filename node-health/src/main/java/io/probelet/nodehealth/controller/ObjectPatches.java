package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.object.KeptFields;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;

/**
 * Patches objects beside a loop, during one term of leadership. A response has the whole object, so
 * at most {@value #MAX_AT_ONCE} requests run, or have a response that the loop has not taken.
 */
public final class ObjectPatches {
  /** A policy with a long history is 40 KB, and five times as much as a tree. */
  static final int MAX_AT_ONCE = 16;

  private final ApiServer api;
  private final Leadership term;
  private final ReconcileLoop loop;
  private final Semaphore slots = new Semaphore(MAX_AT_ONCE, true);

  /**
   * Prepares.
   *
   * @param term the term in which it may write
   * @param loop runs what is done with the responses
   */
  public ObjectPatches(ApiServer api, Leadership term, ReconcileLoop loop) {
    this.api = api;
    this.term = term;
    this.loop = loop;
  }

  ReconcileLoop loop() {
    return loop;
  }

  /** Sends a patch of a status. */
  void send(String path, String type, JsonNode patch, BiConsumer<ApiResult, ApiResult> answered) {
    send(path, "/status", type, patch, KeptFields.ALL, answered);
  }

  /**
   * Sends a patch; nothing is sent, and nothing answered, after the end of the term.
   *
   * @param subresource such as /status; empty for the object itself
   * @param type of the patch, such as {@link ApiServer#MERGE_PATCH}
   * @param fields of the object to read after a failure
   * @param answered receives, on the loop, the response and the object's new state: from the
   *     response, or as read after a failure
   */
  public void send(
      String path,
      String subresource,
      String type,
      JsonNode patch,
      KeptFields fields,
      BiConsumer<ApiResult, ApiResult> answered) {
    loop.beside(() -> {
      try {
        slots.acquire();
      } catch (InterruptedException closed) {
        return;
      }
      if (!term.isOn()) {
        slots.release();
        return;
      }
      ApiResult answer;
      ApiResult now;
      try {
        answer = api.patch(path + subresource, type, patch);
        now = answer instanceof Done ? answer : api.get(path, fields);
      } catch (RuntimeException mistake) { // whoever waits for the response must go on
        answer = new Unanswered("internal error: " + mistake);
        now = answer;
      }
      ApiResult came = answer;
      ApiResult read = now;
      loop.post(() -> {
        slots.release();
        answered.accept(came, read);
      });
    });
  }
}
