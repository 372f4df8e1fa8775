package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;

/** What a remediation has done to a node is undone with it. */
final class NothingStaysOnNodes implements Rule {
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  @Override
  public String name() {
    return "nothing-stays-on-nodes";
  }

  @Override
  public String reason() {
    return "Once all nodes are healthy, none has a taint or a mark of a remediation (ACT-6,"
        + " ACT-60).";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    end.objects()
        .forEach((path, object) -> {
          if (object.path("kind").asText().equals("Node")) {
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
                !object.at("/spec/unschedulable").asBoolean(),
                () -> path + " is still cordoned");
          }
        });
  }
}
