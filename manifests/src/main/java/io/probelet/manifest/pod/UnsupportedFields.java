package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says what a process of this machine does not get of what its pod asks for, so that nothing of it
 * is left out silently: a warning, or an error where the pod would do harm without it. Security
 * contexts and limits have {@link SecurityReader}; what only places a pod on a node has no meaning
 * here, and nothing is said of it.
 */
final class UnsupportedFields {
  private static final String NAMES = "has no effect: names are resolved as on this machine";
  private static final String HOSTNAME =
      "has no effect: HOSTNAME is the pod's name, and the machine keeps its own";

  /** The folders of this machine by the names of their volumes. */
  private final Map<String, String> hostPaths;

  private UnsupportedFields(Map<String, String> hostPaths) {
    this.hostPaths = hostPaths;
  }

  /** Checks what a pod asks for all of its containers. */
  static UnsupportedFields of(Fields spec) {
    warn(
        spec.field("activeDeadlineSeconds"),
        "has no effect: the pod may run for as long as it will");
    for (String name : List.of("dnsConfig", "hostAliases")) {
      warn(spec.field(name), NAMES);
    }
    for (String name : List.of("hostname", "hostnameOverride", "subdomain")) {
      warn(spec.field(name), HOSTNAME);
    }
    warnIfTrue(spec.field("setHostnameAsFQDN"), HOSTNAME);
    Field account = spec.field("serviceAccountName");
    if (!List.of("", "default").contains(account.text(""))) {
      account.warning(
          Complaint.NO_EFFECT, "has no effect: there is no cluster that would give a token");
    }
    warn(spec.field("resourceClaims"), "have no effect: there is no cluster that would grant them");
    Field gates = spec.field("schedulingGates");
    if (!gates.items().isEmpty()) {
      gates.forbidden("the pod is not to be started, and nobody here lifts a gate");
    }
    Fields os = spec.field("os").object();
    if (os != null && os.field("name").text("").equals("windows")) {
      os.field("name").forbidden("processes of this machine are those of Linux");
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

  /** Checks what one container asks for. */
  void check(Fields container) {
    container.field("volumeMounts").items().forEach(this::mount);
    warn(
        container.field("volumeDevices"),
        "have no effect: the process sees the devices of this machine");
    for (String name : List.of("stdin", "tty")) {
      warnIfTrue(container.field(name), "has no effect: there is nothing to read");
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
      readOnly.forbidden("a process of this machine cannot be kept from writing there");
    } else if (!same) {
      item.warning(
          Complaint.NO_EFFECT,
          "has no effect: nothing is mounted, the process sees this machine's own "
              + (path.isEmpty() ? "files" : path));
    }
  }

  private static void hostPort(Fields port) {
    Field hostPort = port.field("hostPort");
    Field own = port.field("containerPort");
    if (hostPort.isNumber() && own.isNumber() && hostPort.int64(0) != own.int64(0)) {
      hostPort.warning(
          Complaint.NO_EFFECT,
          "has no effect: the process listens on this machine, where it wants to");
    }
    warn(
        port.field("hostIP"),
        "has no effect: the process listens on this machine, where it wants to");
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
