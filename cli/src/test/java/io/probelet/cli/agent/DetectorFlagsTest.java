package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.agent.config.NodeSettings;
import io.probelet.agent.node.NodeReports;
import io.probelet.web.http.DetectorPorts;
import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Command lines of node-problem-detector. */
class DetectorFlagsTest {
  private static NodeOptions parsed(String... arguments) {
    NodeOptions options = new NodeOptions();
    CommandLine.populateCommand(options, arguments);
    return options;
  }

  @Test
  @DisplayName("A-8 accepts the flags of its DaemonSet, also deprecated ones")
  void usual() {
    NodeOptions options =
        parsed(
            "--logtostderr",
            "--v=2",
            "--npd-compat",
            "--system-log-monitors=a.json",
            "--custom-plugin-monitors=b.json,c.json",
            "--config.system-log-monitor=d.json");
    assertThat(options.prevailing(List.of(NodeSettings.BUILT_IN)))
        .containsExactly(
            Path.of("a.json"), Path.of("b.json"), Path.of("c.json"), Path.of("d.json"));
    assertThat(options.detectorFlags().warnings(true))
        .singleElement()
        .asString()
        .contains("--v, --logtostderr");
    assertThat(options.detectorFlags().reports())
        .isEqualTo(new NodeReports(true, true, Duration.ofMinutes(5), ""));
    assertThat(options.detectorPorts())
        .contains(
            new DetectorPorts(
                Optional.of(new ListenAddress("127.0.0.1", 20256)),
                Optional.of(new ListenAddress("127.0.0.1", 20257))));
  }

  @Test
  @DisplayName("A-8 a flag with an empty value names no file, nor the working directory")
  void empty() {
    NodeOptions options =
        parsed("--config.custom-plugin-monitor=", "--config.system-log-monitor=,a.json");
    assertThat(options.prevailing(List.of())).containsExactly(Path.of("a.json"));
    assertThat(options.isDetectorCommandLine()).isTrue();
    assertThat(parsed("--monitor=a.json").isDetectorCommandLine()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "--enable-k8s-exporter=true, true, true",
    "--enable-k8s-exporter, true, true",
    "--enable-k8s-exporter=false, false, false",
    "--k8s-exporter-write-events=false, true, false",
    "--k8s-exporter-update-node-conditions=false, false, true",
  })
  @DisplayName("A-8 writes to the API server what its flags say")
  void reports(String flag, boolean conditions, boolean events) {
    NodeReports reports = parsed(flag).detectorFlags().reports();
    assertThat(reports.conditions()).isEqualTo(conditions);
    assertThat(reports.events()).isEqualTo(events);
    assertThat(parsed(flag).detectorFlags().warnings(true)).isEmpty();
  }

  @Test
  @DisplayName("A-8 no exporter turns /conditions off, and port 0 turns the endpoint off")
  void ports() {
    DetectorPorts without =
        parsed("--npd-compat", "--enable-k8s-exporter=false").detectorPorts().orElseThrow();
    assertThat(without.status()).isEmpty();
    assertThat(without.metrics()).isPresent();
    assertThat(parsed("--npd-compat", "--port=0", "--prometheus-port=0").detectorPorts())
        .contains(new DetectorPorts(Optional.empty(), Optional.empty()));
  }

  @Test
  @DisplayName("A-8 accepts heartbeat period, event namespace and node name")
  void settings() {
    DetectorFlags flags =
        parsed(
                "--k8s-exporter-heartbeat-period=90s",
                "--event-namespace=monitoring",
                "--hostname-override=worker-1")
            .detectorFlags();
    assertThat(flags.reports())
        .isEqualTo(new NodeReports(true, true, Duration.ofSeconds(90), "monitoring"));
    assertThat(flags.nodeName()).contains("worker-1");
    assertThat(flags.warnings(true)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "-1m", "999ms", "often"})
  @DisplayName("A-8 refuses an invalid heartbeat")
  void heartbeat(String period) {
    DetectorFlags flags = parsed("--k8s-exporter-heartbeat-period=" + period).detectorFlags();
    assertThatThrownBy(flags::reports).hasMessageContaining("must be 1s or more, such as 5m");
  }

  @Test
  @DisplayName("A-8 uses the kubeconfig of --apiserver-override and warns about an address alone")
  void apiServer() {
    DetectorFlags with =
        parsed(
                "--apiserver-override=https://10.0.0.1:6443?inClusterConfig=false&auth=/etc/npd.conf")
            .detectorFlags();
    assertThat(with.kubeconfig()).contains(Path.of("/etc/npd.conf"));
    assertThat(with.warnings(true)).isEmpty();
    DetectorFlags alone = parsed("--apiserver-override=http://10.0.0.1:8080").detectorFlags();
    assertThat(alone.kubeconfig()).isEmpty();
    assertThat(alone.warnings(true)).singleElement().asString().contains("use --kubeconfig");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--kube-api-qps=5",
        "--kube-api-burst=9",
        "--apiserver-wait-timeout=1m",
        "--apiserver-wait-interval=5s",
        "--exporter.stackdriver=/x.json",
        "--vmodule=a=1",
        "--alsologtostderr=false",
        "--log_file=/x",
        "--stderrthreshold=INFO"
      })
  @DisplayName("A-8 warns once about flags without effect")
  void withoutEffect(String flag) {
    assertThat(parsed(flag).detectorFlags().warnings(true))
        .singleElement()
        .asString()
        .contains("--");
  }
}
