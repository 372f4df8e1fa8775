package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.monitor.MonitorFiles;
import io.probelet.monitor.check.Kernel.Room;
import io.probelet.monitor.check.NodeCheckResult.Devices;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import io.probelet.monitor.rule.Monitor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** B-21: a tenant's own volume is not the node's disk, and no text in mountinfo breaks a check. */
class TenantVolumesTest {
  private static final String UID = "0c7ae3d2-3a56-4f0f-9a51-6f2d3a1b0c99";
  private static final String PODS = "/var/lib/kubelet/pods/" + UID + "/";
  private static final String DISK = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n";

  @TempDir Path root;
  private PretendedNode node;

  @BeforeEach
  void start() {
    node = new PretendedNode(root).file("/proc/1/mountinfo", DISK);
  }

  private NodeCheckResult run(String rule) throws Exception {
    Monitor.Checks monitor =
        (Monitor.Checks) MonitorFiles.read("{'plugin':'check','rules':[{" + rule + "}]}");
    return NodeChecks.of(monitor.rules().getFirst().check(), node.machine()).run();
  }

  private void mounted(String lines) {
    node.file("/proc/1/mountinfo", lines);
  }

  private Devices readOnly() throws Exception {
    return (Devices) run("'check':'read-only-mounts'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/var/lib/kubelet/pods/U/volumes/kubernetes.io~csi/pvc-1/mount",
        "/var/lib/kubelet/pods/U/volume-subpaths/pvc-1/web/0",
        "/var/lib/kubelet/plugins/kubernetes.io/csi/ebs.csi.aws.com/5f/globalmount",
        "/var/lib/kubelet/plugins/kubernetes.io/local-volume/mounts/pv-1",
        "/var/lib/k0s/kubelet/pods/U/volumes/kubernetes.io~csi/pvc-1/mount",
        "/var/snap/microk8s/common/var/lib/kubelet/pods/U/volumes/kubernetes.io~csi/p/mount",
        "/data/kube/pods/U/volumes/kubernetes.io~local-volume/pv-1",
        "/data/kube/pods/U/volume-subpaths/pv-1/web/0",
        "/data/kube/plugins/kubernetes.io/csi/x/globalmount",
        "/run/containerd/io.containerd.runtime.v2.task/k8s.io/4a/rootfs",
        "/run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/4a/rootfs",
        "/var/lib/containerd/io.containerd.snapshotter.v1.devmapper/mounts/7",
        "/var/lib/containers/storage/devicemapper/mnt/4a",
        "/var/lib/docker/devicemapper/mnt/4a",
        "/var/lib/docker/volumes/db/_data",
        "/run/kata-containers/shared/sandboxes/4a/rw/x"
      })
  @DisplayName("A pod's volume that turned read-only or is full sets no condition")
  void volumes(String point) throws Exception {
    String at = point.replace("U", UID);
    mounted(DISK + "30 22 8:96 / %s rw,relatime - ext4 /dev/sdg ro\n".formatted(at));
    node.rooms.put(node.seen("/"), new Room(1, 100, 50, 50, 100, 50));
    node.rooms.put(node.seen(at), new Room(1, 100, 0, 0, 100, 0));

    assertThat(readOnly().problem()).isEmpty();
    mounted(DISK + "30 22 8:96 / %s rw,relatime - ext4 /dev/sdg rw\n".formatted(at));
    assertThat(run("'check':'disk-space'")).isEqualTo(NodeCheckResult.OK);
    assertThat(run("'check':'disk-inodes'")).isEqualTo(NodeCheckResult.OK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/var/lib/kubelet",
        "/var/lib/kubelet/pods",
        "/var/lib/containerd",
        "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs",
        "/var/lib/docker",
        "/var/lib/containers/storage",
        "/srv/pods/data",
        "/srv/volumes/kubernetes"
      })
  @DisplayName("A disk mounted at the kubelet's or runtime's folder belongs to the node")
  void folders(String point) throws Exception {
    mounted(DISK + "30 22 8:96 / %s rw,relatime - xfs /dev/sdg ro\n".formatted(point));
    assertThat(readOnly().problem()).isEqualTo("read-only: " + point);
  }

  @Test
  @DisplayName("A disk also mounted outside the pods' folders belongs to the node")
  void bound() throws Exception {
    mounted(
        "30 22 8:1 /x %svolume-subpaths/a/web/0 rw - ext4 /dev/sda1 ro\n".formatted(PODS)
            + DISK.replace("/dev/sda1 rw", "/dev/sda1 ro"));
    assertThat(readOnly().problem()).isEqualTo("read-only: /");
  }

  @Test
  @DisplayName("An explicitly configured pod volume is checked")
  void named() throws Exception {
    String at = PODS + "volumes/kubernetes.io~csi/pvc-1/mount";
    mounted(DISK + "30 22 8:96 / %s rw - ext4 /dev/sdg ro\n".formatted(at));
    assertThat(((Devices) run("'check':'read-only-mounts','mounts':['" + at + "']")).problem())
        .isEqualTo("read-only: " + at);
  }

  @Test
  @DisplayName("A read-only volume is logged with its pod, and sets no condition")
  void reported() throws Exception {
    Files.createDirectories(node.seen("/var/log/pods/shop_web-0_" + UID));
    mounted(
        DISK
            + "29 22 8:96 / /var/lib/kubelet/plugins/kubernetes.io/csi/x/5f/globalmount rw - ext4 /dev/sdg ro\n"
            + "30 22 8:96 / %svolumes/kubernetes.io~csi/pvc-1/mount rw - ext4 /dev/sdg ro\n"
                .formatted(PODS)
            + "31 22 8:97 / /var/lib/kubelet/plugins/kubernetes.io/csi/x/60/globalmount rw - ext4 /dev/sdh ro\n");
    assertThat(readOnly())
        .isEqualTo(
            new Devices(
                Set.of("sda1"),
                "",
                Set.of(
                    "read-only: volume pvc-1 of pod shop/web-0 (uid " + UID + ")",
                    "read-only: volume at"
                        + " /var/lib/kubelet/plugins/kubernetes.io/csi/x/60/globalmount")));
  }

  @ParameterizedTest
  @CsvSource({
    "\\9zz, \\9zz",
    "\\777, \\777",
    "\\04, \\04",
    "a\\040b, a b",
    "a\\134b, a\\b",
    "\\000, ?",
    "\\303\\251, é"
  })
  @DisplayName("Escapes in mountinfo are decoded, invalid ones stay unchanged")
  void escapes(String written, String read) throws Exception {
    mounted(DISK + "30 22 8:96 / /srv/%s rw - xfs /dev/sdg ro\n".formatted(written));
    String shown = read.equals("é") ? Bytes.shown("/srv/é") : "/srv/" + read;
    assertThat(readOnly().problem()).isEqualTo("read-only: " + shown);
  }

  /** What this JVM can name of it: in the C locale a path has ASCII only. */
  private static final class Bytes {
    static String shown(String path) {
      try {
        return Path.of(path).toString();
      } catch (java.nio.file.InvalidPathException ascii) {
        return path.replaceAll("[^ -~]", "?");
      }
    }
  }

  @Test
  @DisplayName("A tenant's folder name that is not UTF-8 does not affect other disks")
  void bytes() throws Exception {
    byte[] lines =
        ("30 22 8:1 /v/\u00ff %svolume-subpaths/a/web/0 rw - ext4 /dev/sda1 ro\n".formatted(PODS)
                + DISK.replace("/dev/sda1 rw", "/dev/sda1 ro"))
            .getBytes(StandardCharsets.ISO_8859_1);
    Files.write(node.seen("/proc/1/mountinfo"), lines);
    assertThat(readOnly().problem()).isEqualTo("read-only: /");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mounts", "bytes", "line"})
  @DisplayName("Too many mounts make the check fail with the limit")
  void limits(String what) throws Exception {
    String tmpfs =
        "40 22 0:50 / " + PODS + "volumes/kubernetes.io~empty-dir/%d rw - tmpfs tmpfs rw\n";
    StringBuilder lines = new StringBuilder(DISK);
    String expected;
    switch (what) {
      case "mounts" -> {
        for (int at = 0; at < MountTable.MAX_MOUNTS; at++) {
          lines.append("40 22 0:5 / /p/%d rw - tmpfs t rw\n".formatted(at));
        }
        expected = "100000 mounts";
      }
      case "bytes" -> {
        String longer = tmpfs.replace("rw\n", "rw,lowerdir=" + "x".repeat(16_000) + "\n");
        while (lines.length() <= MountTable.MAX_BYTES) {
          lines.append(longer.formatted(1));
        }
        expected = "64 MiB";
      }
      default -> {
        lines.append("41 22 0:51 / /x rw - overlay o lowerdir=");
        lines.repeat('x', MountTable.MAX_LINE).append('\n');
        expected = "1 MiB per line";
      }
    }
    mounted(lines.toString());
    assertThatThrownBy(this::readOnly)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/proc/1/mountinfo exceeds the limit of " + expected);
  }

  @Test
  @DisplayName("A full disk of the node is a problem however many volumes pods have")
  void many() throws Exception {
    StringBuilder lines = new StringBuilder(DISK);
    for (int at = 0; at < 90_000; at++) {
      lines.append("40 22 0:5 / %s%d rw - tmpfs t rw\n".formatted(PODS, at));
    }
    mounted(lines.toString());
    node.rooms.put(node.seen("/"), new Room(1, 100, 5, 5, 100, 5));
    assertThat(run("'check':'disk-space'")).isInstanceOf(Problem.class);
  }

  @Test
  @DisplayName("B-24 a full disk does not count as unresponsive")
  void full() throws Exception {
    Files.createDirectories(node.seen("/data/.probelet-disk-io/x"));
    node.rooms.put(node.seen("/data"), new Room(1, 1000, 0, 0, 100, 5));
    assertThat(run("'check':'disk-io','folder':'/data'"))
        .isEqualTo(
            new NodeCheckResult.Unknown(
                "disk test in " + node.seen("/data") + " cannot run: no free space"));
    node.rooms.put(node.seen("/data"), new Room(1, 1000, 500, 500, 100, 0));
    assertThat(run("'check':'disk-io','folder':'/data'"))
        .isInstanceOf(NodeCheckResult.Unknown.class);
    node.rooms.put(node.seen("/data"), new Room(1, 1000, 500, 500, 100, 5));
    assertThat(run("'check':'disk-io','folder':'/data'")).isInstanceOf(Problem.class);
  }
}
