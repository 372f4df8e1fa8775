package io.probelet.remediator.controller;

import io.probelet.document.name.DnsName;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.ObservedMachine;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.MachineSpec;
import io.probelet.remediator.resource.RemediationRequest;
import java.util.List;

/** Reads the Machine of Cluster API that a node names. */
final class MachineReader {
  private static final String MACHINE = "cluster.x-k8s.io/machine";
  private static final String NAMESPACE = "cluster.x-k8s.io/cluster-namespace";

  /** The one that all have, and the one that is left when the first is not served any more. */
  private static final List<String> VERSIONS = List.of("v1beta1", "v1beta2");

  private MachineReader() {}

  static ObservedMachine read(
      ApiServer api, RemediationRequest<MachineSpec> remediation, ObservedNode node)
      throws UnreadableException {
    String name = node.annotations().getOrDefault(MACHINE, "");
    String namespace = node.annotations().getOrDefault(NAMESPACE, "");
    if (!DnsName.SUBDOMAIN.matches(name) || !DnsName.LABEL.matches(namespace)) {
      return new ObservedMachine.Unknown(
          "the Node's annotations %s and %s do not name a Cluster API Machine"
              .formatted(MACHINE, NAMESPACE));
    }
    for (String version : VERSIONS) {
      String path =
          "/apis/cluster.x-k8s.io/%s/namespaces/%s/machines/%s".formatted(version, namespace, name);
      ApiResult result = api.get(path);
      if (result instanceof ApiResult.Done(var machine)) {
        return ObservedMachine.read(path, machine);
      }
      if (!result.isNotFound()) {
        throw new UnreadableException("the Machine " + namespace + "/" + name, result);
      }
    }
    return new ObservedMachine.Missing(namespace + "/" + name);
  }
}
