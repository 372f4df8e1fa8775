package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectList;
import io.probelet.kube.watch.Selection;
import io.probelet.remediator.decide.DaemonSetKey;
import io.probelet.remediator.decide.DrainPod;
import io.probelet.remediator.decide.DrainPods;
import io.probelet.remediator.decide.ObservedNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the unfinished pods of a node and keeps only a few fields. Every pod counts, even if it is
 * too large to be read or its namespace has too many pods (ACT-20).
 */
final class DrainReader implements ObjectList.Taker {
  private static final Logger LOG = LoggerFactory.getLogger(DrainReader.class);

  private static final int PAGE = 50;

  /** Maximum number of oversized pods that are logged per reading. */
  private static final int MAX_NAMED = 5;

  private final List<DrainPod> pods = new ArrayList<>();
  private final Map<String, Integer> ofNamespace = new HashMap<>();
  private int more;
  private int large;

  private DrainReader() {}

  static DrainPods read(ApiServer api, ObservedNode node) throws UnreadableException {
    Selection running =
        new Selection(
            "Pod",
            "/api/v1/pods",
            "spec.nodeName=%s,status.phase!=Failed,status.phase!=Succeeded".formatted(node.name()),
            PAGE);
    DrainReader reader = new DrainReader();
    ApiResult answer = ObjectList.read(api, running, DrainPods.FIELDS, ObjectLimits.USUAL, reader);
    if (!(answer instanceof Done)) {
      throw new UnreadableException("pods of node " + node.name(), answer);
    }
    return new DrainPods(withoutDaemons(api, reader.pods), reader.more);
  }

  /**
   * Removes the pods of existing DaemonSets. A pod's author may claim any DaemonSet as controller,
   * so the existing ones are listed after the pods: a newer DaemonSet has no pod among them
   * (ACT-12).
   */
  private static List<DrainPod> withoutDaemons(ApiServer api, List<DrainPod> pods)
      throws UnreadableException {
    Set<DaemonSetKey> named =
        pods.stream().flatMap(pod -> pod.daemonSet().stream()).collect(Collectors.toSet());
    if (named.isEmpty()) {
      return pods;
    }
    Set<DaemonSetKey> existing = new HashSet<>();
    Selection all = new Selection("DaemonSet", "/apis/apps/v1/daemonsets", "", PAGE);
    ApiResult answer =
        ObjectList.read(
            api,
            all,
            KeptFields.of("/metadata/name"),
            ObjectLimits.USUAL,
            object -> {
              DaemonSetKey key = DaemonSetKey.of(object);
              if (named.contains(key)) {
                existing.add(key);
              }
            });
    if (!(answer instanceof Done)) {
      throw new UnreadableException("the DaemonSets", answer);
    }
    return pods.stream()
        .filter(pod -> pod.daemonSet().isEmpty() || !existing.contains(pod.daemonSet().get()))
        .map(pod -> pod.daemonSet().isEmpty() ? pod : pod.withoutDaemonSet())
        .toList();
  }

  @Override
  public void take(ObjectNode object) {
    keep(DrainPod.read(object));
  }

  private void keep(DrainPod pod) {
    if (pod.left()) {
      return;
    }
    String namespace = pod.key().namespace();
    int before = ofNamespace.getOrDefault(namespace, 0);
    if (before < DrainPods.MAX_OF_NAMESPACE && pods.size() < DrainPods.MAX) {
      ofNamespace.put(namespace, before + 1);
      pods.add(pod);
    } else {
      more++;
    }
  }

  /** Unknown fields could only be a reason to keep the pod, so it counts as a pod to evict. */
  @Override
  public void tooLarge(TooLarge object) {
    large++;
    if (large <= MAX_NAMED) {
      LOG.warn("pod too large to read, counted as a pod to evict object=\"{}\"", object.text());
    }
    keep(DrainPod.unread(object.identity()));
  }
}
