package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reports fields of a pod that have no effect on local processes, so that none is ignored silently:
 * a warning, or an error if the pod would do harm without it. {@link SecurityReader} handles
 * security contexts and limits. Fields that only place a pod on a node are not reported.
 */
final class UnsupportedFields {
  private static final String NAMES =
      "has no effect: local processes use this machine's name" + " resolution";
  private static final String HOSTNAME =
      "has no effect: HOSTNAME is the pod's name, and the machine's host name stays";

  /** The folders of this machine by the names of their volumes. */
  private final Map<String, String> hostPaths;

  private UnsupportedFields(Map<String, String> hostPaths) {
    this.hostPaths = hostPaths;
  }

  /** Checks the pod's fields for all of its containers. */
  static UnsupportedFields of(Fields spec) {
    warn(spec.field("activeDeadlineSeconds"), "has no effect: the pod may run without a deadline");
    for (String name : List.of("dnsConfig", "hostAliases")) {
      warn(spec.field(name), NAMES);
    }
    for (String name : List.of("hostname", "hostnameOverride", "subdomain")) {
      warn(spec.field(name), HOSTNAME);
    }
    warnIfTrue(spec.field("setHostnameAsFQDN"), HOSTNAME);
    Field account = spec.field("serviceAccountName");
    if (!List.of("", "default").contains(account.text(""))) {
      account.warning(Complaint.NO_EFFECT, "has no effect: no cluster provides a token");
    }
    warn(spec.field("resourceClaims"), "have no effect: no cluster provides them");
    Field gates = spec.field("schedulingGates");
    if (!gates.items().isEmpty()) {
      gates.forbidden("the pod would never start, because no scheduler removes the gates");
    }
    Fields os = spec.field("os").object();
    if (os != null && os.field("name").text("").equals("windows")) {
      os.field("name").forbidden("local processes run on Linux only");
    }
    return new UnsupportedFields(hostPaths(spec.field("volumes")));
  }

  private static Map<String, String> hostPaths(Field volumes) {
    Map<String, String> paths = new HashMap<>();
    for (Field item : volumes.items()) {
      Fields volume = item.object();
      Fields hostPath = volume == null ? null : volume.field("hostPath").object();
      if (volume != null && hostPath != null) {
        paths.put(volume.field("name").text(""), hostPath.field("path").text(""));
      }
    }
    return paths;
  }

  /** Checks the fields of one container. */
  void check(Fields container) {
    container.field("volumeMounts").items().forEach(this::mount);
    warn(
        container.field("volumeDevices"),
        "have no effect: a local process sees this machine's devices");
    for (String name : List.of("stdin", "tty")) {
      warnIfTrue(container.field(name), "has no effect: a local process has no standard input");
    }
    for (Field item : container.field("ports").items()) {
      Fields port = item.object();
      if (port != null) {
        hostPort(port);
      }
    }
  }

  private void mount(Field item) {
    Fields mount = item.object();
    if (mount == null) {
      return;
    }
    String path = mount.field("mountPath").text("");
    boolean same =
        path.equals(hostPaths.get(mount.field("name").text("")))
            && !mount.field("subPath").isPresent()
            && !mount.field("subPathExpr").isPresent();
    Field readOnly = mount.field("readOnly");
    if (same && readOnly.bool(false)) {
      readOnly.forbidden("a local process cannot be prevented from writing there");
    } else if (!same) {
      item.warning(
          Complaint.NO_EFFECT,
          "has no effect: nothing is mounted, a local process sees this machine's "
              + (path.isEmpty() ? "files" : path));
    }
  }

  private static void hostPort(Fields port) {
    Field hostPort = port.field("hostPort");
    Field own = port.field("containerPort");
    if (hostPort.isNumber() && own.isNumber() && hostPort.int64(0) != own.int64(0)) {
      hostPort.warning(
          Complaint.NO_EFFECT,
          "has no effect: a local process chooses its own addresses and ports");
    }
    warn(
        port.field("hostIP"), "has no effect: a local process chooses its own addresses and ports");
  }

  private static void warn(Field field, String why) {
    boolean nothing = field.isList() ? field.items().isEmpty() : !field.isPresent();
    if (!nothing) {
      field.warning(Complaint.NO_EFFECT, why);
    }
  }

  private static void warnIfTrue(Field field, String why) {
    if (field.bool(false)) {
      field.warning(Complaint.NO_EFFECT, why);
    }
  }
}
