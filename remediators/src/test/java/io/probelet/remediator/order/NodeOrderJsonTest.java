package io.probelet.remediator.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.remediator.order.OrderAction.Unreadable;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RebootMode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class NodeOrderJsonTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  static List<OrderAction> actions() {
    return List.of(
        Orders.DIAGNOSE, Orders.RESTART, new OrderAction.Reboot(RebootMode.KEXEC), Orders.REBOOT);
  }

  @ParameterizedTest
  @MethodSource("actions")
  void whatIsWrittenIsRead(OrderAction action) {
    NodeOrder draft = Orders.draft(action);
    assertThat(NodeOrderJson.read(NodeOrderJson.write(draft))).isEqualTo(draft);
  }

  @Test
  void statusIsRead() {
    NodeOrder seen = Orders.seen(Orders.DIAGNOSE, true, OrderPhase.DONE);
    OrderStatus status =
        new OrderStatus(
            OrderPhase.DONE,
            Orders.BOOT,
            "collected",
            new KeptEvidence("a.tar.gz", "ab", 7, List.of("one", "two")));
    ObjectNode object = NodeOrderJson.write(seen);
    ObjectNode patch = NodeOrderJson.status(seen, status);
    object.set("status", patch.get("status"));
    assertThat(NodeOrderJson.read(object).status()).isEqualTo(status);
    assertThat(patch.at("/metadata/resourceVersion").asText()).isEqualTo("7");
    assertThat(patch.at("/metadata/uid").asText()).isEqualTo("uid-1");
  }

  @Test
  void grantNamesWhatItHasRead() {
    assertThat(NodeOrderJson.grant("uid-1", "7"))
        .hasToString(
            "{\"metadata\":{\"uid\":\"uid-1\",\"resourceVersion\":\"7\"},\"spec\":{\"granted\":true}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'action':'Shutdown','bootID':'b'}; spec.action: Unsupported value: \"Shutdown\"",
        "{'action':'RestartServices','bootID':'b'}; spec.units: Invalid value: 0 units: must be 1 to 8",
        "{'action':'RestartServices','bootID':'b','units':['../x.service']}; spec.units[0]: Invalid value",
        "{'action':'RestartServices','bootID':'b','units':['kubelet']}; spec.units[0]: Invalid value",
        "{'action':'RestartServices','bootID':'b','units':['a.service','a.service']}; spec.units[1]: Duplicate",
        "{'action':'Reboot','bootID':'b','mode':'Hard'}; spec.mode: Unsupported value: \"Hard\"",
        "{'action':'Reboot'}; spec.bootID: Required value",
        "{'action':'Reboot','bootID':'a b'}; spec.bootID: Invalid value",
        "{'action':'Reboot','bootID':'b','timeoutSeconds':0}; spec.timeoutSeconds: Invalid value: 0",
        "{'action':'Reboot','bootID':'b','timeoutSeconds':3601}; spec.timeoutSeconds: Invalid value: 3601",
        "{'action':'Reboot','bootID':'b','granted':'yes'}; spec.granted: Invalid value: \"yes\"",
        "[]; spec: Invalid value"
      })
  void mistakes(String spec, String problem) throws Exception {
    JsonNode object =
        JSON.readTree(
            "{\"metadata\":{\"name\":\"worker-1\"},\"spec\":" + spec.replace('\'', '"') + "}");
    assertThat(NodeOrderJson.read(object).spec().action())
        .isInstanceOfSatisfying(
            Unreadable.class, it -> assertThat(it.problem()).startsWith(problem));
  }

  @Test
  void nothingIsEndless() throws Exception {
    ObjectNode object = NodeOrderJson.write(Orders.draft(Orders.RESTART));
    ObjectNode spec = (ObjectNode) object.get("spec");
    spec.put("reason", "x".repeat(5000)).put("bootID", "b".repeat(65));
    IntStream.range(0, 9).forEach(i -> spec.withArray("units").add("u" + i + ".service"));
    ObjectNode status = object.putObject("status").put("message", "y".repeat(5000));
    status.put("bootID", "b".repeat(65)).put("phase", "Dreaming");
    ObjectNode evidence =
        status.putObject("evidence").put("bytes", -1).put("name", "n".repeat(300));
    Collections.nCopies(1000, "z".repeat(1000)).forEach(evidence.putArray("digest")::add);
    NodeOrder order = NodeOrderJson.read(object);
    assertThat(order.spec().reason()).hasSize(OrderSpec.MAX_TEXT);
    assertThat(order.spec().action()).isInstanceOf(Unreadable.class);
    assertThat(order.status().message()).hasSize(OrderSpec.MAX_TEXT);
    assertThat(order.status().bootId()).isEmpty();
    assertThat(order.status().phase()).isEqualTo(OrderPhase.NONE);
    assertThat(order.status().evidence().digest())
        .hasSize(KeptEvidence.MAX_LINES)
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(256));
    assertThat(order.status().evidence().bytes()).isZero();
    assertThat(order.status().evidence().name()).isEmpty();
  }

  @Test
  void emptyObjects() throws Exception {
    NodeOrder order = NodeOrderJson.read(JSON.readTree("{}"));
    assertThat(order.spec().action()).isInstanceOf(Unreadable.class);
    assertThat(order.spec().bootId()).isEmpty();
  }

  @Test
  void valuesHaveBounds() {
    assertThatThrownBy(() -> new OrderAction.RestartServices(List.of()))
        .hasMessage("0 units; must be 1 to 8");
    assertThatThrownBy(() -> new OrderAction.RestartServices(List.of("a b.service")))
        .hasMessageContaining("must be the name of a service");
    assertThat(Orders.spec(Orders.REBOOT, false).timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(
            new OrderSpec(Orders.REBOOT, "b", Duration.ofHours(9), "", Orders.OWNER, false)
                .timeout())
        .isEqualTo(OrderSpec.MAX_TIMEOUT);
    assertThatThrownBy(
            () -> new OrderSpec(Orders.REBOOT, "b", Duration.ZERO, "", Orders.OWNER, false))
        .hasMessage("timeout PT0S must be 1s or more");
  }
}
