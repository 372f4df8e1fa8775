package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.fleet.FleetGap.Kind;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.remediator.resource.RemediationKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Follows the kinds of remediations: ours, and those that NodeHealthChecks name. What they name a
 * person has written: it leads to a path of the API or nowhere. {@link #discover} is called by one
 * thread; the rest by any.
 */
final class RemediationKinds implements AutoCloseable {
  static final int MAX_KINDS = 32;
  private static final KeptFields FIELDS =
      KeptFields.of(
          "/metadata/creationTimestamp",
          "/metadata/deletionTimestamp",
          "/metadata/labels",
          "/metadata/annotations",
          "/metadata/ownerReferences",
          "/status");
  private static final Pattern API_VERSION = Pattern.compile("[a-z0-9.-]{1,253}/[a-z0-9]{1,63}");

  private final ApiServer api;
  private final TimeSource time;
  private final RandomGenerator random;
  private final Runnable changed;
  private final Map<Name, WatchedKind<RemediationReading>> kinds = new HashMap<>();
  private final List<ResourceWatch<?>> watches = new ArrayList<>();
  private Set<Name> wanted = new LinkedHashSet<>();
  private Optional<FleetGap> gap = Optional.empty();
  private boolean full;

  /** A kind as resources name it. */
  record Name(String apiVersion, String kind) {}

  RemediationKinds(ApiServer api, TimeSource time, RandomGenerator random, Runnable changed) {
    this.api = api;
    this.time = time;
    this.random = random;
    this.changed = changed;
    for (RemediationKind kind : RemediationKind.values()) {
      wanted.add(new Name(RemediationKind.API_VERSION, kind.kind()));
    }
  }

  /** Takes what NodeHealthChecks name now; a kind that was ever named stays. */
  synchronized void want(Collection<CheckReading> checks) {
    for (CheckReading check : checks) {
      if (check.valid() != null) {
        for (RemediationStep step : check.valid().spec().steps()) {
          want(new Name(step.template().apiVersion(), step.remediationKind()));
        }
      }
      for (UnhealthyNode node : check.status().unhealthyNodes()) {
        for (TrackedRemediation tracked : node.remediations()) {
          want(new Name(tracked.resource().apiVersion(), tracked.resource().kind()));
        }
      }
    }
  }

  private void want(Name name) {
    if (wanted.contains(name) || !API_VERSION.matcher(name.apiVersion()).matches()) {
      return;
    }
    if (wanted.size() < MAX_KINDS) {
      wanted.add(name);
    } else {
      full = true;
    }
  }

  private synchronized Set<Name> unknown() {
    Set<Name> unknown = new LinkedHashSet<>(wanted);
    unknown.removeAll(kinds.keySet());
    return unknown;
  }

  /** Asks the API server for kinds that are not followed yet, and follows them. */
  void discover() {
    Map<String, ApiResult> versions = new HashMap<>();
    Optional<FleetGap> trouble = Optional.empty();
    for (Name name : unknown()) {
      ApiResult answer =
          versions.computeIfAbsent(name.apiVersion(), version -> api.get("/apis/" + version));
      if (answer instanceof Done(JsonNode list)) {
        find(name, list).ifPresent(resource -> follow(name, resource));
      } else if (!answer.isNotFound()) {
        trouble =
            Optional.of(
                new FleetGap(
                    "Remediations",
                    answer.isForbidden() ? Kind.FORBIDDEN : Kind.UNREACHABLE,
                    FleetText.of(answer.summary(), FleetText.SENTENCE),
                    true));
      }
    }
    synchronized (this) {
      gap = trouble;
    }
  }

  private static Optional<JsonNode> find(Name name, JsonNode list) {
    for (JsonNode resource : list.path("resources")) {
      if (resource.path("kind").asText().equals(name.kind())
          && resource.path("name").asText().matches("[a-z0-9.-]{1,253}")) {
        return Optional.of(resource);
      }
    }
    return Optional.empty();
  }

  private synchronized void follow(Name name, JsonNode resource) {
    String plural = resource.path("name").asText();
    String group = name.apiVersion().substring(0, name.apiVersion().indexOf('/'));
    String collection = "/apis/" + name.apiVersion() + "/" + plural;
    WatchedKind<RemediationReading> kind =
        new WatchedKind<>(
            name.kind() + "s",
            plural + "." + group,
            collection,
            true,
            FleetLimits.REMEDIATIONS,
            changed);
    kinds.put(name, kind);
    watches.add(
        ResourceWatch.start(
            api,
            Selection.all(name.kind(), collection),
            kind.bounded(
                new ObjectFormat<>(
                    name.apiVersion(),
                    name.kind(),
                    FIELDS,
                    FleetLimits.REMEDIATION,
                    Weighed.reading(RemediationReading::of))),
            kind,
            time,
            random));
  }

  /** {@return all kinds that are followed} */
  synchronized Map<Name, WatchedKind<RemediationReading>> all() {
    return Map.copyOf(kinds);
  }

  /** {@return why the kinds are unknown; empty if they are known} */
  synchronized Optional<FleetGap> gap() {
    return full && gap.isEmpty()
        ? Optional.of(
            new FleetGap(
                "Remediations",
                Kind.TOO_MANY,
                "NodeHealthChecks name more than " + MAX_KINDS + " kinds of remediations",
                true))
        : gap;
  }

  @Override
  public synchronized void close() {
    watches.forEach(ResourceWatch::close);
  }
}
