package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The Job of a hook may switch off a machine, which must not happen twice. */
final class JobsRunOnce implements Rule {
  /** The Jobs that exist, by the uid of the remediation that owns them. */
  private final Map<String, String> jobs = new HashMap<>();

  /** The remediations whose status was written while their Job existed. */
  private final Set<String> seen = new HashSet<>();

  @Override
  public String name() {
    return "jobs-run-once";
  }

  @Override
  public String reason() {
    return "A remediation that has seen its Job never creates another (ACT-57).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof Restored) {
      jobs.clear(); // a backup from before the Job knows nothing of it
      seen.clear();
    } else if (event instanceof Written write) {
      written(write, findings);
    }
  }

  private void written(Written write, Findings findings) {
    JsonNode object = write.after() == null ? write.before() : write.after();
    if (object == null) {
      return;
    }
    String uid = ObjectFields.uid(object);
    if (!ObjectFields.kind(object).equals("Job")) {
      if (jobs.containsKey(uid) && write.process().startsWith("controller")) {
        seen.add(uid);
      }
      return;
    }
    String owner = object.at("/metadata/ownerReferences/0/uid").asText();
    if (write.after() == null) {
      jobs.remove(owner);
    } else if (write.before() == null) {
      findings.check(
          this,
          write.at(),
          !seen.contains(owner),
          () -> "%s created %s again".formatted(write.process(), write.path()));
      jobs.put(owner, uid);
    }
  }
}
