package io.probelet.nodehealth.maintenance;

import io.probelet.document.selector.LabelIndex;
import io.probelet.nodehealth.maintenance.Maintenance.Planned;
import io.probelet.nodehealth.maintenance.Maintenance.Unreadable;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Unclear;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Window;
import io.probelet.nodehealth.policy.Blackout;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Maintenances of a cluster, and what they say about its nodes. Immutable. */
public final class MaintenanceBook {
  /** The most Maintenances of a cluster; beyond it no node is remediated (MW-6). */
  public static final int MAX_OBJECTS = 10_000;

  /** Without any Maintenance. */
  public static final MaintenanceBook NONE = new MaintenanceBook(List.of(), null);

  private final Collection<Maintenance> all;
  private final @Nullable String unknown;
  private final LabelIndex<Maintenance> index;

  private MaintenanceBook(Collection<Maintenance> all, @Nullable String unknown) {
    this.all = List.copyOf(all);
    this.unknown = unknown;
    index =
        new LabelIndex<>(this.all, Maintenance::selector, Comparator.comparing(Maintenance::name));
  }

  /** {@return the book of all Maintenances of a cluster} */
  public static MaintenanceBook of(Collection<Maintenance> all) {
    return all.isEmpty() ? NONE : new MaintenanceBook(all, null);
  }

  /**
   * {@return the book without Maintenances that are past, so that these cost nothing for a node}
   */
  public static MaintenanceBook recent(Collection<Maintenance> all, Instant now) {
    return of(all.stream().filter(each -> !each.isPast(now)).toList());
  }

  /**
   * The book of a cluster whose Maintenances could not be read (MW-6).
   *
   * @param why the reason, for people
   */
  public static MaintenanceBook unknown(String why) {
    return new MaintenanceBook(List.of(), why);
  }

  /** {@return the book of a cluster that has more Maintenances than this} */
  public static MaintenanceBook tooMany(int most) {
    return unknown(
        "the cluster has more than %d Maintenances; delete those that are over".formatted(most));
  }

  /** {@return the Maintenances that select a node with these labels, of any time, by name} */
  public List<Maintenance> selecting(Map<String, String> labels) {
    return index.selecting(labels);
  }

  /**
   * Returns what is known about a node. A window that was on and is no longer there, because it was
   * edited or deleted or because the node's labels changed, ends now (MW-4).
   *
   * @param before what was known before; null if nothing was
   * @return null if the node was never in maintenance, as far as known
   */
  public @Nullable NodeMaintenance of(
      Map<String, String> labels, @Nullable NodeMaintenance before, Instant now) {
    if (unknown != null) {
      return new Unclear(unknown);
    }
    if (all.isEmpty() && before == null) {
      return null;
    }
    List<Maintenance> selecting = selecting(labels);
    for (Maintenance maintenance : selecting) {
      if (maintenance.plan() instanceof Unreadable(String problem)) {
        return new Unclear("Maintenance %s is invalid: %s".formatted(maintenance.name(), problem));
      }
    }
    Window found = window(selecting, now);
    Window known = before instanceof Window window ? window : null;
    if (known == null || (found != null && !found.until().isBefore(known.until()))) {
      return found;
    }
    if (!known.isOnAt(now)) {
      return known;
    }
    return found != null && found.isOnAt(now)
        ? found
        : new Window(known.name(), known.reason(), now);
  }

  /** The windows that have begun, and those that begin before these have ended (MW-1). */
  private static @Nullable Window window(List<Maintenance> selecting, Instant now) {
    Window window = null;
    Instant reach = now;
    for (Maintenance maintenance : byStart(selecting)) {
      Planned planned = (Planned) maintenance.plan();
      Blackout time = planned.time();
      if (!time.from().isAfter(reach) && (window == null || time.until().isAfter(window.until()))) {
        window = new Window(maintenance.name(), planned.reason(), time.until());
        reach = time.until().isAfter(reach) ? time.until() : reach;
      }
    }
    return window == null || NodeMaintenance.isPast(window.until(), now) ? null : window;
  }

  private static List<Maintenance> byStart(List<Maintenance> selecting) {
    return selecting.stream()
        .sorted(Comparator.comparing(maintenance -> ((Planned) maintenance.plan()).time().from()))
        .toList();
  }

  /**
   * Finds when the next Maintenance begins or ends.
   *
   * @return the first such moment after now; empty if there is none
   */
  public Optional<Instant> nextChange(Instant now) {
    return all.stream()
        .map(Maintenance::plan)
        .filter(Planned.class::isInstance)
        .flatMap(plan -> Stream.of(((Planned) plan).time().from(), ((Planned) plan).time().until()))
        .filter(moment -> moment.isAfter(now))
        .min(Comparator.naturalOrder());
  }
}
