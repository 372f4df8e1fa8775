package io.probelet.manifest.pod;

import java.util.Set;

/** Fields of Kubernetes 1.36 that are valid and that nobody here reads. */
final class KnownFields {
  static final Set<String> METADATA =
      Set.of(
          "creationTimestamp",
          "deletionGracePeriodSeconds",
          "deletionTimestamp",
          "finalizers",
          "generateName",
          "generation",
          "labels",
          "managedFields",
          "ownerReferences",
          "resourceVersion",
          "selfLink");

  static final Set<String> POD_SPEC =
      Set.of(
          "activeDeadlineSeconds",
          "affinity",
          "automountServiceAccountToken",
          "dnsConfig",
          "dnsPolicy",
          "enableServiceLinks",
          "hostAliases",
          "hostIPC",
          "hostNetwork",
          "hostPID",
          "hostUsers",
          "hostname",
          "hostnameOverride",
          "imagePullSecrets",
          "nodeName",
          "nodeSelector",
          "os",
          "overhead",
          "preemptionPolicy",
          "priority",
          "priorityClassName",
          "resourceClaims",
          "resources",
          "runtimeClassName",
          "schedulerName",
          "schedulingGates",
          "schedulingGroup",
          "securityContext",
          "serviceAccount",
          "serviceAccountName",
          "setHostnameAsFQDN",
          "shareProcessNamespace",
          "subdomain",
          "tolerations",
          "topologySpreadConstraints",
          "volumes",
          "workloadRef");

  static final Set<String> CONTAINER =
      Set.of(
          "image",
          "imagePullPolicy",
          "resizePolicy",
          "resources",
          "securityContext",
          "stdin",
          "stdinOnce",
          "terminationMessagePath",
          "terminationMessagePolicy",
          "tty",
          "volumeDevices",
          "volumeMounts");

  static final Set<String> PORT = Set.of("hostIP", "hostPort");

  private KnownFields() {}
}
