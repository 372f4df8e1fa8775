package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problems;
import io.probelet.manifest.advice.CommandText;
import io.probelet.manifest.advice.SpecAdvice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives the advice of which an API server warns when it takes a valid pod, and advice on hooks. One
 * giver looks at one pod.
 */
final class SpecAdviceGiver {
  private static final Set<String> BYTES = Set.of("memory", "ephemeral-storage");
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "::1");

  /** Ports of one number that each further one is compared with. */
  private static final int MAX_SAME = 100;

  private final Fields spec;
  private final Problems problems;
  private final boolean hostNetwork;
  private final Map<String, List<Declared>> ports = new HashMap<>();
  private final Map<String, Field> named = new HashMap<>();

  private record Declared(Field field, String hostIp, int hostPort) {}

  SpecAdviceGiver(Fields spec, Problems problems) {
    this.spec = spec;
    this.problems = problems;
    hostNetwork = spec.field("hostNetwork").bool(false);
  }

  void give() {
    Field grace = spec.field("terminationGracePeriodSeconds");
    if (grace.int64(0) < 0) {
      give(SpecAdvice.NEGATIVE_GRACE_PERIOD, grace, "");
    }
    amounts(spec.field("overhead"));
    for (String list : List.of("initContainers", "containers")) {
      for (Fields container : FieldRules.objects(spec.field(list))) {
        container(container);
      }
    }
  }

  private void container(Fields container) {
    Fields resources = container.field("resources").objectOrEmpty();
    if (resources != null) {
      amounts(resources.field("limits"));
      amounts(resources.field("requests"));
    }
    for (Field item : container.field("ports").items()) {
      Fields port = item.object();
      if (port != null) {
        port(item, port);
      }
    }
    Set<String> variables = variables(container.field("env"));
    Fields lifecycle = container.field("lifecycle").objectOrEmpty();
    if (lifecycle != null) {
      hook(lifecycle.field("postStart"), variables);
      hook(lifecycle.field("preStop"), variables);
    }
  }

  private void amounts(Field list) {
    Fields amounts = list.objectOrEmpty();
    if (amounts == null) {
      return;
    }
    for (String name : amounts.names()) {
      Field amount = amounts.keyed(name);
      Optional<BigDecimal> bytes =
          BYTES.contains(name) ? Quantity.value(amount.scalar()) : Optional.empty();
      if (bytes.isPresent() && bytes.get().stripTrailingZeros().scale() > 0) {
        give(SpecAdvice.FRACTIONAL_BYTES, amount, "");
      }
    }
  }

  private void port(Field item, Fields port) {
    int number = port.field("containerPort").int32(0);
    int own = port.field("hostPort").int32(0);
    int hostPort = own == 0 && hostNetwork ? number : own; // as an API server completes it
    String hostIp = port.field("hostIP").text("");
    if (!hostIp.isEmpty() && hostPort == 0) {
      give(SpecAdvice.HOST_IP_WITHOUT_HOST_PORT, item, "");
    }
    String protocol = port.field("protocol").text("");
    List<Declared> same =
        ports.computeIfAbsent(
            number + "/" + (protocol.isEmpty() ? "TCP" : protocol), _ -> new ArrayList<>());
    Declared declared = new Declared(item, hostIp, hostPort);
    for (Declared other : same) {
      against(declared, other);
    }
    if (same.size() < MAX_SAME) {
      same.add(declared);
    }
    String name = port.field("name").text("");
    Field first = name.isEmpty() ? null : named.putIfAbsent(name, item);
    if (first != null) {
      give(SpecAdvice.DUPLICATE_PORT_NAME, item, first.path());
    }
  }

  private void against(Declared port, Declared other) {
    boolean sameIp = port.hostIp().equals(other.hostIp());
    boolean samePort = port.hostPort() == other.hostPort();
    if (sameIp && samePort) {
      give(SpecAdvice.DUPLICATE_PORT, port.field(), other.field().path());
    } else if (port.hostPort() == 0 || other.hostPort() == 0) {
      give(SpecAdvice.OVERLAPPING_PORT, port.field(), other.field().path());
    } else if (samePort && port.hostIp().isEmpty() != other.hostIp().isEmpty()) {
      give(SpecAdvice.AMBIGUOUS_HOST_PORT, port.field(), other.field().path());
    }
  }

  /** Returns their names. A later value that is made from the earlier one is meant so. */
  private Set<String> variables(Field list) {
    Set<String> names = new HashSet<>();
    for (Field item : list.items()) {
      Fields variable = item.object();
      if (variable == null) {
        continue;
      }
      String name = variable.field("name").text("");
      String value = variable.field("value").text("");
      String reference = "$(" + name + ")";
      boolean extended = value.contains(reference) && !value.equals(reference);
      if (!names.add(name) && (variable.field("valueFrom").isPresent() || !extended)) {
        give(SpecAdvice.DUPLICATE_VARIABLE, item, "");
      }
    }
    return names;
  }

  private void hook(Field field, Set<String> variables) {
    Fields hook = field.objectOrEmpty();
    if (hook == null) {
      return;
    }
    Fields request = hook.field("httpGet").objectOrEmpty();
    if (request != null && !hostNetwork && LOCAL.contains(request.field("host").text(""))) {
      give(SpecAdvice.HOOK_OF_LOCALHOST, request.field("host"), "");
    }
    Fields exec = hook.field("exec").objectOrEmpty();
    List<String> command = exec == null ? List.of() : exec.field("command").textsOrEmpty();
    if (exec != null && CommandText.isOneWord(command)) {
      give(SpecAdvice.HOOK_IN_ONE_WORD, exec.field("command"), "");
    }
    if (exec != null && CommandText.variables(command).anyMatch(variables::contains)) {
      give(SpecAdvice.HOOK_VARIABLE, exec.field("command"), "");
    }
  }

  private void give(SpecAdvice advice, Field field, String other) {
    String why = other.isEmpty() ? advice.why() : advice.why() + " (see " + other + ")";
    problems.advice(field.at(), field.path(), why, advice.id());
  }
}
