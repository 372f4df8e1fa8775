package io.probelet.remediator.controller;

import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.maintenance.MaintenanceBook;
import io.probelet.nodehealth.maintenance.MaintenanceReader;
import io.probelet.nodehealth.maintenance.NodeMaintenance;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Unclear;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Window;
import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.decide.ObservedNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the Maintenances as they are now, because none may begin unnoticed (MW-7). */
final class MaintenanceList {
  private MaintenanceList() {}

  /**
   * Why no remediation of a node may begin; empty if it is not in maintenance.
   *
   * @param installed the installed kinds
   */
  static Optional<ActionHold> hold(
      ApiServer api, Set<String> installed, ObservedNode node, Instant now) {
    if (!installed.contains(Maintenance.PLURAL)) {
      return Optional.empty();
    }
    return switch (book(api).of(node.labels(), null, now)) {
      case Window window when now.isBefore(window.until().plus(NodeMaintenance.DECIDED)) ->
          Optional.of(
              hold(new HoldReason.InMaintenance(window.name(), window.reason(), window.until())));
      case Unclear(String why) -> Optional.of(hold(new HoldReason.MaintenanceUnknown(why)));
      case null, default -> Optional.empty();
    };
  }

  private static MaintenanceBook book(ApiServer api) {
    try {
      List<Maintenance> all =
          PolicyList.all(
              api,
              Selection.all(Maintenance.KIND, PolicyList.VERSION + "/" + Maintenance.PLURAL),
              KeptFields.of("/spec"),
              ObjectLimits.LARGE,
              "the Maintenances",
              object -> Optional.of(MaintenanceReader.read(object)));
      return all.size() > MaintenanceBook.MAX_OBJECTS
          ? MaintenanceBook.tooMany(MaintenanceBook.MAX_OBJECTS)
          : MaintenanceBook.of(all);
    } catch (UnreadableException unreadable) {
      return MaintenanceBook.unknown(String.valueOf(unreadable.getMessage()));
    }
  }

  private static ActionHold hold(HoldReason reason) {
    return new ActionHold(reason.label(), reason.message());
  }
}
