package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.remediator.decide.HookAnswer;
import io.probelet.remediator.resource.HttpsHook;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Calls users' endpoints. Thread-safe. */
@FunctionalInterface
public interface HookEndpoint {
  /** Calls them over HTTPS. */
  HookEndpoint HTTPS = new HookCaller();

  /**
   * Calls an endpoint and waits for its response.
   *
   * @param idempotencyKey the same for all repetitions of a call
   * @param when the time to sign
   * @param key the signing key; null to send the call unsigned
   */
  HookAnswer call(
      HttpsHook hook, JsonNode body, String idempotencyKey, Instant when, byte @Nullable [] key);
}
