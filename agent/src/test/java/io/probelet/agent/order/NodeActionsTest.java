package io.probelet.agent.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.monitor.bus.SystemBus;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderOwner;
import io.probelet.remediator.order.OrderPhase;
import io.probelet.remediator.order.OrderSpec;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RebootMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real dbus-daemon, on which systemd and logind are ours. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NodeActionsTest {
  @TempDir Path folder;
  private BusDaemon bus;
  private BusStandIn systemd;
  private final List<Duration> pauses = new ArrayList<>();
  private NodeActions actions;

  @BeforeEach
  void start() throws IOException {
    bus = BusDaemon.start(folder);
    systemd = BusStandIn.start(bus.socket());
    systemd.units.put("kubelet.service", "active");
    systemd.units.put("containerd.service", "active");
    OrderPause pause = pauses::add;
    Path sysRq = Files.createFile(folder.resolve("sysrq-trigger"));
    actions =
        new NodeActions(
            new ServiceRestart(this::connect, pause),
            new NodeReboot(this::connect, sysRq, pause),
            reason -> new KeptEvidence(reason + ".tar.gz", "ab", 1, List.of("line")));
  }

  @AfterEach
  void end() {
    if (systemd != null) {
      systemd.close();
    }
    if (bus != null) {
      bus.close();
    }
  }

  private SystemBus connect() throws IOException {
    return SystemBus.connect(bus.socket());
  }

  private OrderStatus carryOut(OrderAction action) throws InterruptedException {
    OrderOwner owner = new OrderOwner("RebootRemediation", "ns", "n", "u");
    return actions.carryOut(
        new OrderSpec(action, "b", Duration.ofSeconds(60), "why", owner, true), "b");
  }

  private OrderStatus restart(String... units) throws InterruptedException {
    return carryOut(new OrderAction.RestartServices(List.of(units)));
  }

  private static OrderStatus failed(String message) {
    return new OrderStatus(OrderPhase.FAILED, "b", message);
  }

  @Test
  @DisplayName("ACT-41: units are restarted one after the other, until they are active")
  void restarts() throws Exception {
    assertThat(restart("containerd.service", "kubelet.service"))
        .isEqualTo(
            new OrderStatus(
                OrderPhase.DONE, "b", "restarted and active: containerd.service, kubelet.service"));
    assertThat(systemd.calls)
        .containsExactly(
            "RestartUnit containerd.service replace", "RestartUnit kubelet.service replace");
    assertThat(pauses).as("asked until they were").hasSize(4);
  }

  @Test
  @DisplayName("ACT-41: a unit that is not there leaves the others alone")
  void notThere() throws Exception {
    assertThat(restart("kubelet.service", "crio.service"))
        .isEqualTo(failed("crio.service is not-found; nothing was restarted"));
    assertThat(systemd.calls).isEmpty();
  }

  @Test
  void notActiveAfterwards() throws Exception {
    systemd.units.put("kubelet.service", "failed");
    assertThat(restart("kubelet.service", "containerd.service"))
        .isEqualTo(failed("kubelet.service is failed after its restart"));
    assertThat(systemd.calls).containsExactly("RestartUnit kubelet.service replace");
  }

  @Test
  void notPermitted() throws Exception {
    systemd.error = "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired";
    assertThat(restart("kubelet.service").message())
        .startsWith("RestartUnit: org.freedesktop.DBus.Error.InteractiveAuthorizationRequired");
  }

  @ParameterizedTest
  @CsvSource({"REBOOT, Reboot false", "KEXEC, RebootWithFlags 2"})
  @DisplayName("ACT-41: a reboot that does not happen has failed")
  void reboots(RebootMode mode, String call) throws Exception {
    assertThat(carryOut(new OrderAction.Reboot(mode)))
        .isEqualTo(failed("the node did not shut down within 60 s"));
    assertThat(systemd.calls).containsExactly(call);
    assertThat(pauses).containsExactly(Duration.ofSeconds(60));
  }

  @Test
  void magicKeys() throws Exception {
    assertThat(carryOut(new OrderAction.Reboot(RebootMode.SYS_RQ)).phase())
        .isEqualTo(OrderPhase.FAILED);
    assertThat(folder.resolve("sysrq-trigger")).hasContent("b");
    assertThat(systemd.calls).isEmpty();
    Files.delete(folder.resolve("sysrq-trigger"));
    assertThat(carryOut(new OrderAction.Reboot(RebootMode.SYS_RQ)).message())
        .startsWith("cannot write s to ");
  }

  @Test
  void evidence() throws Exception {
    assertThat(carryOut(new OrderAction.Diagnose()).evidence().name()).isEqualTo("why.tar.gz");
  }

  @Test
  void timeRunsOut() {
    actions =
        new NodeActions(
            new ServiceRestart(
                this::connect,
                _ -> {
                  throw new InterruptedException();
                }),
            new NodeReboot(this::connect, folder, pauses::add),
            _ -> null);
    assertThatThrownBy(() -> restart("kubelet.service")).isInstanceOf(InterruptedException.class);
  }
}
