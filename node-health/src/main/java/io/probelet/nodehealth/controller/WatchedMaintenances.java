package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.maintenance.MaintenanceBook;
import io.probelet.nodehealth.maintenance.MaintenanceReader;
import io.probelet.nodehealth.maintenance.NodeMaintenance;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.KindState;
import io.probelet.nodehealth.wire.RemediationJson;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Maintenances of the cluster, what they say about each node, and their statuses. Used only on
 * the loop's thread, unless stated otherwise.
 */
final class WatchedMaintenances {
  /** After too many Maintenances were deleted, the others are listed again. */
  private static final Duration RELIST = Duration.ofSeconds(15);

  private final Map<String, JsonNode> objects = new HashMap<>();
  private final Map<String, Maintenance> read = new HashMap<>();
  private final Map<String, Integer> nodes = new HashMap<>();
  private final Expectations expected = new Expectations();
  private final ObjectStatusWriter writer;
  private final ObjectPatches requests;
  private final Runnable relist;
  private final int most;

  /** Also read by the threads of actions. */
  private volatile MaintenanceBook book = MaintenanceBook.NONE;

  private @Nullable String unreadable;
  private boolean tooMany;
  private boolean relisting;
  private boolean dirty;
  private boolean statusDirty;
  private @Nullable Instant next;

  /** When the book was made; it lacks what was over by then. */
  private Instant made = Instant.MIN;

  /**
   * Starts without Maintenances.
   *
   * @param relist lists all Maintenances again
   * @param most the most that are kept
   */
  WatchedMaintenances(ObjectPatches requests, StatusPauses pauses, Runnable relist, int most) {
    this.requests = requests;
    this.relist = relist;
    this.most = most;
    writer =
        new ObjectStatusWriter(
            Kind.MAINTENANCE, requests, pauses, this::wrote, () -> statusDirty = true);
  }

  // --- Changes

  /** Applies a new or changed Maintenance from the watch. */
  void changed(JsonNode object) {
    String name = RemediationJson.ref(object).name();
    if (!objects.containsKey(name) && objects.size() >= most) {
      dirty |= !tooMany;
      tooMany = true; // MW-6: what it says is unknown
      return;
    }
    if (expected.isNews(Metadata.uid(object), Metadata.version(object))) {
      put(name, object);
    }
  }

  private void put(String name, JsonNode object) {
    objects.put(name, object);
    Maintenance maintenance = MaintenanceReader.read(object);
    dirty |= !maintenance.equals(read.put(name, maintenance));
    statusDirty = true;
  }

  void gone(JsonNode object) {
    String name = RemediationJson.ref(object).name();
    JsonNode known = objects.get(name);
    expected.sawEnd(Metadata.uid(object));
    if (known != null && Metadata.uid(known).equals(Metadata.uid(object))) {
      objects.remove(name);
      read.remove(name);
      nodes.remove(name);
      dirty = true;
    }
    if (tooMany && !relisting) { // of those that were left out nothing is known
      relisting = true;
      requests.loop().postAfter(RELIST, this::listAgain);
    }
  }

  private void listAgain() {
    relisting = false;
    if (tooMany) {
      forgetAll();
      relist.run();
    }
  }

  private void forgetAll() {
    tooMany = false;
    objects.clear();
    read.clear();
    dirty = true;
  }

  /** Records whether the cluster has the kind, and whether we may list it. */
  void settled(KindState state) {
    unreadable = state instanceof TemplateLookup.Forbidden(String advice) ? advice : null;
    if (state instanceof TemplateLookup.Missing) {
      forgetAll();
    }
    dirty = true;
  }

  private void wrote(String name, JsonNode body) {
    if (objects.containsKey(name) && expected.wrote(Metadata.uid(body), Metadata.version(body))) {
      put(name, body);
    }
  }

  // --- Nodes

  /**
   * Applies changed Maintenances, and those that begin or end now.
   *
   * @return whether all nodes must be marked again
   */
  boolean refresh(Instant now) {
    boolean due = next != null && !next.isAfter(now);
    boolean clockWasSetBack = now.isBefore(made);
    if (!dirty && !due && !clockWasSetBack) {
      return false;
    }
    if (dirty || clockWasSetBack) {
      book = book(now);
      made = now;
    }
    dirty = false;
    next = book.nextChange(now).orElse(null);
    statusDirty = true;
    nodes.clear();
    return true;
  }

  private MaintenanceBook book(Instant now) {
    if (unreadable != null) {
      return MaintenanceBook.unknown(unreadable);
    }
    return tooMany ? MaintenanceBook.tooMany(most) : MaintenanceBook.recent(read.values(), now);
  }

  /**
   * Returns what is known about a node; may be called by any thread.
   *
   * @param before what was known before; null if nothing was
   * @return null if the node was never in maintenance, as far as known
   */
  @Nullable NodeMaintenance of(
      Map<String, String> labels, @Nullable NodeMaintenance before, Instant now) {
    return book.of(labels, before, now);
  }

  /**
   * Counts a new, changed or deleted node.
   *
   * @param before its state so far; null if it was not counted
   * @param now its state; null if it was deleted
   */
  void count(@Nullable NodeFacts before, @Nullable NodeFacts now) {
    if (read.isEmpty() || (before != null && now != null && before.labels().equals(now.labels()))) {
      return;
    }
    add(before, -1);
    add(now, 1);
    statusDirty = true;
  }

  private void add(@Nullable NodeFacts node, int one) {
    if (node != null) {
      book.selecting(node.labels())
          .forEach(maintenance -> nodes.merge(maintenance.name(), one, Integer::sum));
    }
  }

  // --- Statuses

  /** Writes changed statuses. */
  void writeStatuses(Instant now) {
    if (!statusDirty) {
      return;
    }
    statusDirty = false;
    for (Maintenance maintenance : read.values()) {
      String name = maintenance.name();
      JsonNode object = Objects.requireNonNull(objects.get(name));
      ObjectNode patch =
          MaintenanceStatus.patch(
              maintenance,
              maintenance.isPast(now) ? null : nodes.getOrDefault(name, 0),
              object,
              now);
      if (!patch.isEmpty()) {
        writer.write(name, object, patch);
      }
    }
  }

  /** When the next Maintenance begins or ends; null if none does. */
  @Nullable Instant nextMoment() {
    return next;
  }
}
