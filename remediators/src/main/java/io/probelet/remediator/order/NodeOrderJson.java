package io.probelet.remediator.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problems;
import io.probelet.kube.Metadata;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RebootMode;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationProgressJson;
import java.util.List;

/** Orders as JSON: read whole, and written by patches that name the version they have read. */
public final class NodeOrderJson {
  private NodeOrderJson() {}

  /** Reads an order. One with a mistake has {@link OrderAction.Unreadable} as its action. */
  public static NodeOrder read(JsonNode object) {
    String node = object.at("/metadata/name").asText();
    Problems problems = Problems.ofObject(NodeOrder.KIND + " " + node);
    OrderSpec spec = OrderSpecReader.read(ApiObject.read(object, problems).object());
    List<Problem> errors = problems.all().stream().filter(Problem::isError).toList();
    return new NodeOrder(
        object.at("/metadata/namespace").asText(),
        node,
        Metadata.uid(object),
        Metadata.version(object),
        object.path("metadata").hasNonNull("deletionTimestamp"),
        errors.isEmpty() ? spec : OrderSpecReader.unreadable(spec, Problem.texts(errors)),
        status(object.path("status")));
  }

  /**
   * Reads what the node's agent, or whoever has its token, says of an order.
   *
   * @param status the field of the resource; a missing node if it has none
   * @return the status, each text of it one line within its bound
   */
  public static OrderStatus status(JsonNode status) {
    return new OrderStatus(
        OrderPhase.of(status.path("phase").asText()),
        status.path("bootID").asText(),
        status.path("message").asText(),
        RemediationProgressJson.evidence(status.path("evidence")));
  }

  /**
   * Writes an order that is to be created.
   *
   * @return the resource, without a status
   * @throws IllegalArgumentException if nobody could carry it out
   */
  public static ObjectNode write(NodeOrder order) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", RemediationKind.API_VERSION).put("kind", NodeOrder.KIND);
    object.putObject("metadata").put("name", order.node()).put("namespace", order.namespace());
    ObjectNode spec = object.putObject("spec").put("action", order.spec().action().word());
    switch (order.spec().action()) {
      case OrderAction.Diagnose() -> {}
      case OrderAction.RestartServices(List<String> units) ->
          units.forEach(spec.putArray("units")::add);
      case OrderAction.Reboot(RebootMode mode) -> spec.put("mode", mode.toString());
      case OrderAction.Unreadable(String problem) -> throw new IllegalArgumentException(problem);
    }
    spec.put("bootID", order.spec().bootId())
        .put("timeoutSeconds", order.spec().timeout().toSeconds())
        .put("reason", order.spec().reason())
        .put("granted", order.spec().granted());
    OrderOwner owner = order.spec().owner();
    spec.putObject("remediation")
        .put("kind", owner.kind())
        .put("namespace", owner.namespace())
        .put("name", owner.name())
        .put("uid", owner.uid());
    return object;
  }

  /**
   * {@return a merge patch of the order that lets the node begin, if it is still as it was read}
   */
  public static ObjectNode grant(String uid, String version) {
    ObjectNode patch = patch(uid, version);
    patch.putObject("spec").put("granted", true);
    return patch;
  }

  /** {@return a merge patch of the order's status, which is taken if it is still as it was read} */
  public static ObjectNode status(NodeOrder order, OrderStatus status) {
    ObjectNode patch = patch(order.uid(), order.version());
    ObjectNode written =
        patch
            .putObject("status")
            .put("phase", status.phase().word())
            .put("bootID", status.bootId())
            .put("message", status.message());
    KeptEvidence evidence = status.evidence();
    if (evidence != null) {
      written.set("evidence", RemediationProgressJson.write(evidence));
    }
    return patch;
  }

  private static ObjectNode patch(String uid, String version) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", uid).put("resourceVersion", version);
    return patch;
  }
}
