package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.DrainPod;
import io.probelet.remediator.decide.ObservedNode;
import java.util.ArrayList;
import java.util.List;

/** Reads the pods of a node, a page at a time, of which little is kept. */
final class DrainReader {
  /** A pod may be large, and a page of them is in memory while it is read. */
  private static final int PAGE = 50;

  /** More than any kubelet runs; finished ones may pile up beyond it, and are left anyway. */
  private static final int MAX_PODS = 5_000;

  private DrainReader() {}

  static List<DrainPod> read(ApiServer api, Object request, ObservedNode node)
      throws UnreadableException {
    List<DrainPod> pods = new ArrayList<>();
    String next = "";
    do {
      ApiResult answer =
          api.get(
              "/api/v1/pods?limit=%d&fieldSelector=spec.nodeName%%3D%s%s"
                  .formatted(
                      PAGE,
                      ApiPath.encoded(node.name()),
                      next.isEmpty() ? "" : "&continue=" + ApiPath.encoded(next)));
      if (!(answer instanceof Done(JsonNode page))) {
        throw new UnreadableException("pods of node " + node.name(), answer);
      }
      page.path("items").forEach(pod -> pods.add(DrainPod.read(pod)));
      next = page.at("/metadata/continue").asText();
    } while (!next.isEmpty() && pods.size() < MAX_PODS);
    return pods;
  }
}
