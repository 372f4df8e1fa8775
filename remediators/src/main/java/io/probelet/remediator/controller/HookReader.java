package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.HookAnswer;
import io.probelet.remediator.decide.HookCourse;
import io.probelet.remediator.decide.HookJob;
import io.probelet.remediator.decide.ObservedHook;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.HookSpec;
import io.probelet.remediator.resource.HttpsHook;
import io.probelet.remediator.resource.HttpsHook.SecretKeyRef;
import io.probelet.remediator.resource.OutOfServiceSpec;
import io.probelet.remediator.resource.OutOfServiceSpec.Confirmation;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;

/** Makes the call that the status has recorded, or reads the Job. */
final class HookReader {
  private final HookEndpoint endpoint;

  HookReader(HookEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  ObservedHook read(ApiServer api, RemediationRequest<HookSpec> remediation, ObservedNode node)
      throws UnreadableException {
    return switch (remediation.spec().target()) {
      case HookSpec.Target.Endpoint(HttpsHook https) ->
          new ObservedHook.OfEndpoint(call(api, remediation, https, node));
      case HookSpec.Target.Job _ -> job(api, remediation, HookJob.name(remediation));
    };
  }

  HookAnswer readPower(
      ApiServer api, RemediationRequest<OutOfServiceSpec> remediation, ObservedNode node) {
    return remediation.spec().confirmation() instanceof Confirmation.ByHook(HttpsHook https)
        ? call(api, remediation, https, node)
        : new HookAnswer.NotAsked();
  }

  static ObservedHook job(ApiServer api, RemediationRequest<?> remediation, String name)
      throws UnreadableException {
    ApiResult result = api.get(HookJob.collection(remediation) + "/" + name);
    if (result instanceof ApiResult.Done(JsonNode job)) {
      return ObservedHook.read(job, remediation.uid());
    }
    // whoever may not read it may not create it: that is refused, and said
    if (result.isNotFound() || result.isForbidden()) {
      return new ObservedHook.OfJob(ObservedHook.State.MISSING, "");
    }
    throw new UnreadableException("the Job " + name, result);
  }

  private HookAnswer call(
      ApiServer api, RemediationRequest<?> remediation, HttpsHook https, ObservedNode node) {
    if (remediation.deleting() || !HookCourse.isDue(remediation.status())) {
      return new HookAnswer.NotAsked();
    }
    Instant when =
        Objects.requireNonNullElse(remediation.status().phaseTime(), remediation.created());
    Optional<SecretKeyRef> secret = https.secret();
    if (secret.isEmpty()) {
      return endpoint.call(https, body(remediation, node), remediation.uid(), when, null);
    }
    ApiResult result =
        api.get(
            "/api/v1/namespaces/%s/secrets/%s"
                .formatted(remediation.ref().namespace(), secret.get().name()));
    if (!(result instanceof ApiResult.Done(JsonNode found))) {
      return new HookAnswer.NotAnswered(
          "the Secret %s cannot be read: %s".formatted(secret.get().name(), result.summary()));
    }
    byte[] key = key(found, secret.get().key());
    return key.length == 0
        ? new HookAnswer.NotAnswered(
            "the Secret %s has no value %s".formatted(secret.get().name(), secret.get().key()))
        : endpoint.call(https, body(remediation, node), remediation.uid(), when, key);
  }

  private static byte[] key(JsonNode secret, String name) {
    try {
      return Base64.getDecoder().decode(secret.path("data").path(name).asText());
    } catch (IllegalArgumentException malformed) {
      return new byte[0];
    }
  }

  /** The body of a call. It contains no secrets. */
  private static ObjectNode body(RemediationRequest<?> remediation, ObservedNode node) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("node", remediation.node()).put("bootID", remediation.status().bootId());
    body.put("reason", HookJob.reason(node));
    body.putObject("remediation")
        .put("kind", remediation.kind().kind())
        .put("namespace", remediation.ref().namespace())
        .put("name", remediation.ref().name())
        .put("uid", remediation.uid());
    return body;
  }
}
