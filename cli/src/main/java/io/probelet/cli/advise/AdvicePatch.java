package io.probelet.cli.advise;

import io.probelet.fleet.advise.AdviceReport;
import io.probelet.fleet.advise.AdviceSubject;
import io.probelet.fleet.advise.Proposal;
import io.probelet.fleet.advise.WorkloadAdvice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proposals as strategic merge patches: one YAML document for each container of a workload. Nothing
 * is patched that a person must decide, such as the removal of a probe; comments say so.
 */
public final class AdvicePatch {
  /** What Kubernetes allows in names. An agent may answer anything, which must not become YAML. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

  /** Where each kind is, by the API; pods of other kinds cannot be changed by a patch. */
  private static final Map<String, String> VERSIONS =
      Map.of(
          "Deployment", "apps/v1",
          "StatefulSet", "apps/v1",
          "DaemonSet", "apps/v1",
          "ReplicaSet", "apps/v1",
          "ReplicationController", "v1");

  private AdvicePatch() {}

  /** {@return the lines of all documents} */
  public static List<String> of(AdviceReport report) {
    List<String> lines = new ArrayList<>();
    for (WorkloadAdvice advice : report.containers()) {
      if (!advice.proposals().isEmpty()) {
        lines.add("---");
        lines.addAll(document(advice));
      }
    }
    return lines;
  }

  private static List<String> document(WorkloadAdvice advice) {
    AdviceSubject subject = advice.subject();
    if (!Stream.of(subject.namespace(), subject.name(), subject.container())
        .allMatch(name -> NAME.matcher(name).matches())) {
      return List.of("# Left out: an agent answered a name that is none.");
    }
    List<String> lines = new ArrayList<>();
    lines.add("# " + subject);
    Map<String, List<String>> fields = new LinkedHashMap<>();
    Optional<String> why = unpatchable(advice);
    for (Proposal proposal : advice.proposals()) {
      Integer value = proposal.value();
      if (value == null || why.isPresent()) {
        lines.add(
            "# By hand: %s%s: %s instead of %s"
                .formatted(
                    proposal.probe(),
                    proposal.field().isEmpty() ? "" : "." + proposal.field(),
                    proposal.proposed(),
                    proposal.today()));
      } else {
        fields
            .computeIfAbsent(proposal.probe(), _ -> new ArrayList<>())
            .add("%s: %d # was %s".formatted(proposal.field(), value, proposal.today()));
      }
    }
    why.ifPresent(reason -> lines.add("# No patch: " + reason));
    if (fields.isEmpty()) {
      return lines;
    }
    lines.add(
        "# kubectl patch %s %s -n %s --patch-file FILE"
            .formatted(
                subject.kind().toLowerCase(Locale.ROOT), subject.name(), subject.namespace()));
    lines.add("apiVersion: " + VERSIONS.get(subject.kind()));
    lines.add("kind: " + subject.kind());
    lines.add("metadata:");
    lines.add("  name: " + quoted(subject.name()));
    lines.add("  namespace: " + quoted(subject.namespace()));
    lines.add("spec:");
    lines.add("  template:");
    lines.add("    spec:");
    lines.add("      " + (advice.role().equals("sidecar") ? "initContainers" : "containers") + ":");
    lines.add("        - name: " + quoted(subject.container()));
    fields.forEach((probe, settings) -> {
      lines.add("          " + probe + ":");
      settings.forEach(setting -> lines.add("            " + setting));
    });
    return lines;
  }

  /** A name of digits alone would be a number. */
  private static String quoted(String name) {
    return '"' + name + '"';
  }

  private static Optional<String> unpatchable(WorkloadAdvice advice) {
    if (!VERSIONS.containsKey(advice.subject().kind())) {
      return Optional.of("probes of this kind cannot be changed in place");
    }
    return advice.patchable()
        ? Optional.empty()
        : Optional.of("an annotation or the administrator declares the probes");
  }
}
