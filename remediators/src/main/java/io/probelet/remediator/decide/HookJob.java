package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.OneLine;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.decide.Action.Create;
import io.probelet.remediator.resource.RemediationRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The Job of a remediation, made from its template (ACT-57). */
public final class HookJob {
  private static final String API_VERSION = "batch/v1";
  private static final String NAME = "name";
  private static final int MAX_REASON = 1024;

  /** A Job that is gone before anybody has read how it ended would have to be run again. */
  private static final int LEAST_TTL_SECONDS = 600;

  private HookJob() {}

  /** {@return the name of the Job, the same at every try} */
  public static String name(RemediationRequest<?> request) {
    return "probelet-hook-" + request.uid();
  }

  /** {@return the name of the Job that checks a node before it is uncordoned} */
  public static String uncordonName(RemediationRequest<?> request) {
    return "probelet-uncordon-" + request.uid();
  }

  /** {@return the path of the Jobs beside a remediation} */
  public static String collection(RemediationRequest<?> request) {
    return "/apis/batch/v1/namespaces/%s/jobs".formatted(namespace(request));
  }

  private static String namespace(RemediationRequest<?> request) {
    return Objects.requireNonNull(request.ref().namespace(), "remediations have a namespace");
  }

  static Create create(
      RemediationRequest<?> request, String name, ObservedNode node, ObjectNode template) {
    ObjectNode job = template.deepCopy();
    job.put("apiVersion", API_VERSION).put("kind", "Job");
    ObjectNode metadata = job.withObject("metadata");
    metadata.remove("generateName");
    metadata.put(NAME, name).put("namespace", namespace(request));
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", request.ref().apiVersion())
        .put("kind", request.ref().kind())
        .put(NAME, request.ref().name())
        .put("uid", request.uid())
        .put("controller", true);
    ObjectNode spec = job.withObject("spec");
    JsonNode ttl = spec.path("ttlSecondsAfterFinished");
    if (ttl.isNumber() && ttl.asInt() < LEAST_TTL_SECONDS) {
      spec.put("ttlSecondsAfterFinished", LEAST_TTL_SECONDS);
    }
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("PROBELET_NODE", request.node());
    variables.put("PROBELET_REASON", reason(node));
    variables.put("PROBELET_REMEDIATION", namespace(request) + "/" + request.ref().name());
    JsonNode pod = spec.at("/template/spec");
    for (String field : new String[] {"initContainers", "containers"}) {
      for (JsonNode container : pod.path(field)) {
        if (container instanceof ObjectNode object) {
          define(object, variables);
        }
      }
    }
    ObjectRef ref = new ObjectRef(API_VERSION, "Job", namespace(request), name);
    return new Create(ref, collection(request), job);
  }

  /**
   * Ours come first, so that others can refer to them; one of these names is not the template's.
   */
  private static void define(ObjectNode container, Map<String, String> variables) {
    JsonNode own = container.path("env");
    ArrayNode env = container.putArray("env");
    variables.forEach((name, value) -> env.addObject().put(NAME, name).put("value", value));
    for (JsonNode each : own) {
      if (!variables.containsKey(each.path(NAME).asText())) {
        env.add(each);
      }
    }
  }

  /** {@return what is wrong with the node, such as {@code Ready=Unknown}} */
  public static String reason(ObservedNode node) {
    String reason =
        node.conditions().entrySet().stream()
            .filter(
                each -> !each.getValue().equals(each.getKey().equals("Ready") ? "True" : "False"))
            .map(each -> each.getKey() + "=" + each.getValue())
            .sorted()
            .collect(Collectors.joining(","));
    return OneLine.beginning(reason, MAX_REASON);
  }
}
