package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.probe.HandlerReader.PortName;
import java.util.HashSet;
import java.util.Set;

/** Checks that no two containers of a pod use the same port of the node. */
final class HostPorts {
  private final boolean hostNetwork;
  private final Set<String> taken = new HashSet<>();

  /** With hostNetwork a containerPort is also a port of the node. */
  HostPorts(boolean hostNetwork) {
    this.hostNetwork = hostNetwork;
  }

  void check(Field ports) {
    for (Field item : ports.items()) {
      Fields port = item.object();
      if (port == null) {
        continue;
      }
      Field field = port.field("hostPort");
      int number = field.int32(0);
      int inside = port.field("containerPort").int32(0);
      if (number == 0) {
        number = hostNetwork ? inside : 0;
      } else if (!PortName.isValidNumber(number)) {
        field.invalid(PortName.NUMBER_RULE);
      } else if (hostNetwork && number != inside) {
        field.invalid("must be the containerPort when hostNetwork is true");
      }
      String protocol = port.field("protocol").text("");
      Field address = port.field("hostIP");
      if (number != 0
          && !taken.add(
              (protocol.isEmpty() ? "TCP" : protocol) + "/" + address.text("") + "/" + number)) {
        item.duplicate("another port of the pod has this hostPort");
      }
    }
  }
}
