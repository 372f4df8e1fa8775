package io.probelet.agent.cluster.pods;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.name.DnsName;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.health.OneLine;
import io.probelet.kube.WireTime;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.object.WireJson;
import io.probelet.manifest.policy.PodRules;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Reads single pods in the form of the API server, which a client has sent. */
public final class PodObjects {
  private static final int MAX_PROBLEM = 300;

  /** Characters of a name, as in Kubernetes. */
  private static final int MAX_NAME = 253;

  /** Characters of an id with the runtime's scheme; runtimes use 64. */
  private static final int MAX_ID = 512;

  private final ClusterPodReader reader;

  /** Creates a reader of pods for which rules hold. */
  public PodObjects(PodRules rules) {
    reader = new ClusterPodReader(rules);
  }

  /**
   * Reads a pod.
   *
   * @param json a Pod object with metadata, spec and status
   * @throws IllegalArgumentException if it is none; the message is for the client
   */
  public ClusterPod read(byte[] json) {
    Document document = Document.ofProgram(object(json).traverse(), Set.of());
    if (!(document.root() instanceof Mapping pod)) {
      throw new IllegalArgumentException("unexpected format: " + document.problems());
    }
    return reader
        .read(pod)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "not a Pod: metadata.name, metadata.uid and spec are required"));
  }

  /** Names are kept for each probe and event, so their length is bounded like Kubernetes' names. */
  private static void requireIdentities(ObjectNode pod) {
    for (String name : List.of("namespace", "name", "uid")) {
      requireShort(pod.path("metadata").path(name), "metadata." + name, MAX_NAME);
    }
    requireName(pod, "namespace", DnsName.LABEL);
    requireName(pod, "name", DnsName.SUBDOMAIN);
    for (String list :
        List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")) {
      for (JsonNode status : pod.path("status").path(list)) {
        requireShort(status.path("name"), "status." + list + "[].name", MAX_NAME);
        requireShort(status.path("containerID"), "status." + list + "[].containerID", MAX_ID);
        requireShort(
            status.at("/state/terminated/containerID"),
            "status." + list + "[].state.terminated.containerID",
            MAX_ID);
        requireInstance(status, "status." + list + "[]");
      }
    }
  }

  /** Without them it is not known which instance runs, and a running container is not probed. */
  private static void requireInstance(JsonNode status, String field) {
    JsonNode running = status.at("/state/running");
    if (running.isMissingNode() || running.isNull()) {
      return;
    }
    if (status.path("containerID").asText().isEmpty()) {
      throw new IllegalArgumentException(field + ".containerID is required while it runs");
    }
    String started = running.path("startedAt").asText();
    if (started.length() > WireTime.MAX_CHARS || WireTime.read(started) == null) {
      throw new IllegalArgumentException(
          field
              + ".state.running.startedAt must be a time such as 2026-12-01T22:00:00Z, found \""
              + OneLine.of(started, WireTime.MAX_CHARS)
              + "\"");
    }
  }

  /** An API server has no such pod; a missing name is reported with all that is required. */
  private static void requireName(ObjectNode pod, String field, DnsName rule) {
    String name = pod.path("metadata").path(field).asText();
    if (!name.isEmpty() && !rule.matches(name)) {
      throw new IllegalArgumentException(
          "metadata.%s %s, found \"%s\"".formatted(field, rule.rule(), OneLine.of(name, MAX_NAME)));
    }
  }

  private static void requireShort(JsonNode text, String field, int most) {
    if (text.asText().length() > most) {
      throw new IllegalArgumentException(field + " must have at most " + most + " characters");
    }
  }

  /** The reader's own text quotes what was sent, and names its classes. */
  private static String notJson(IOException failure) {
    JsonLocation at =
        failure instanceof JsonProcessingException malformed ? malformed.getLocation() : null;
    String what =
        failure instanceof StreamConstraintsException ? "JSON exceeds a limit" : "not JSON";
    return at == null
        ? what
        : what + ", at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
  }

  private static ObjectNode object(byte[] json) {
    try (JsonParser parser = WireJson.FACTORY.createParser(json)) {
      parser.nextToken();
      if (!parser.isExpectedStartObjectToken()) {
        throw new IllegalArgumentException("not a JSON object");
      }
      ObjectNode pod =
          switch (BoundedObject.read(parser, KeptFields.ALL, ObjectLimits.USUAL)) {
            case TooLarge large -> throw new IllegalArgumentException("pod " + large.text());
            case Whole(ObjectNode whole) -> whole;
          };
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("more than one JSON value");
      }
      String kind = pod.path("kind").asText("Pod");
      if (!kind.equals("Pod")) {
        throw new IllegalArgumentException(
            "kind must be Pod, found " + OneLine.of(kind, MAX_PROBLEM));
      }
      requireIdentities(pod);
      // A client knows its pods by metadata.uid; an author must not choose another one.
      if (pod.path("metadata").path("annotations") instanceof ObjectNode annotations) {
        annotations.remove(ClusterPodReader.MIRROR_POD_UID);
      }
      return pod;
    } catch (IOException malformed) {
      throw new IllegalArgumentException(notJson(malformed), malformed);
    }
  }
}
