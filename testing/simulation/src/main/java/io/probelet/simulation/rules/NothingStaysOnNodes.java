package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;

/** What a remediation has done to a node is undone with it. */
final class NothingStaysOnNodes implements Rule {
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
  private static final String CORDONED_BY = "probelet.io/cordoned-by";

  @Override
  public String name() {
    return "nothing-stays-on-nodes";
  }

  @Override
  public String reason() {
    return "Once all nodes are healthy, none has a taint, cordon or mark of a remediation (ACT-6,"
        + " ACT-60).";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    end.objects()
        .forEach((path, object) -> {
          if (ObjectFields.kind(object).equals("Node")) {
            for (JsonNode taint : object.at("/spec/taints")) {
              findings.check(
                  this,
                  end.at(),
                  !taint.path("key").asText().equals(OUT_OF_SERVICE),
                  () -> "%s still has the taint %s".formatted(path, OUT_OF_SERVICE));
            }
            findings.check(
                this,
                end.at(),
                ObjectFields.annotation(object, CORDONED_BY).isEmpty(),
                () -> "%s still has the annotation %s".formatted(path, CORDONED_BY));
            findings.check(
                this,
                end.at(),
                !object.at("/spec/unschedulable").asBoolean(),
                () -> path + " is still cordoned");
          }
        });
  }
}
