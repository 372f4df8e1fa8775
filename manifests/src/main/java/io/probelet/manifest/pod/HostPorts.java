package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.probe.HandlerReader.PortName;
import java.util.HashSet;
import java.util.Set;

/** The ports of the node that the containers of a pod ask for, no two of them the same. */
final class HostPorts {
  private final boolean hostNetwork;
  private final Set<String> taken = new HashSet<>();

  /** In the node's network a port is the node's own, whether it says so or not. */
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
