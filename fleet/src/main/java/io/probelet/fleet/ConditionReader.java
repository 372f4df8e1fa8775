package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.fleet.FleetCondition.Verdict;
import io.probelet.kube.WireTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;

/** Reads conditions in the usual form. */
final class ConditionReader {
  private static final int MAX_CONDITIONS = 64;
  private static final List<String> POSITIVE = List.of("Ready", "Healthy", "Available");

  private ConditionReader() {}

  /**
   * Conditions of a node that are named for a problem are bad when True, as the kubelet's
   * pressures.
   */
  static List<FleetCondition> ofNode(JsonNode list) {
    return read(list, ConditionReader::ofNode);
  }

  /** Of a ClusterHealth: True is good. */
  static List<FleetCondition> ofCluster(JsonNode list) {
    return read(list, (_, status) -> positive(status));
  }

  /** Of a remediation: only that it has failed is bad. */
  static List<FleetCondition> ofRemediation(JsonNode list) {
    return read(
        list,
        (type, status) -> {
          if (!type.equals("Succeeded")) {
            return Verdict.GOOD;
          }
          return status.equals("False") ? Verdict.BAD : Verdict.GOOD;
        });
  }

  /** Of a NodeHealthCheck: all that it has are bad when True. */
  static List<FleetCondition> ofCheck(JsonNode list) {
    return read(list, (_, status) -> negative(status));
  }

  private static List<FleetCondition> read(
      JsonNode list, BiFunction<String, String, Verdict> verdict) {
    List<FleetCondition> conditions = new ArrayList<>();
    for (JsonNode condition : list) {
      String type = FleetText.of(condition.path("type"), FleetText.WORD).intern();
      String status = FleetText.of(condition.path("status"), FleetText.WORD).intern();
      conditions.add(
          new FleetCondition(
              type,
              status,
              FleetText.of(condition.path("reason"), FleetText.WORD).intern(),
              FleetText.of(condition.path("message"), FleetText.SENTENCE).intern(),
              WireTime.read(condition.path("lastTransitionTime")),
              verdict.apply(type, status)));
    }
    if (conditions.size() > MAX_CONDITIONS) { // those that are not good are not to be hidden
      conditions.sort(Comparator.comparing(condition -> condition.verdict() == Verdict.GOOD));
    }
    return conditions.stream().limit(MAX_CONDITIONS).toList();
  }

  private static Verdict ofNode(String type, String status) {
    return POSITIVE.stream().anyMatch(type::endsWith) ? positive(status) : negative(status);
  }

  private static Verdict positive(String status) {
    return switch (status) {
      case "True" -> Verdict.GOOD;
      case "False" -> Verdict.BAD;
      case "Progressing" -> Verdict.WARNING;
      default -> Verdict.UNKNOWN;
    };
  }

  private static Verdict negative(String status) {
    return switch (status) {
      case "False" -> Verdict.GOOD;
      case "True" -> Verdict.BAD;
      default -> Verdict.UNKNOWN;
    };
  }
}
