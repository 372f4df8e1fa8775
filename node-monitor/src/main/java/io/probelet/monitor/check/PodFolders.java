package io.probelet.monitor.check;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folders below which the kubelet, its volume plugins and the container runtime mount
 * filesystems of pods (B-21). A mount exactly at such a folder is a disk of the node that an
 * administrator mounted there.
 */
final class PodFolders {
  private static final String UID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}";

  /** The kubelet's root folder is configurable; the names below it are fixed. */
  private static final Pattern BELOW =
      Pattern.compile(
          "/(?:kubelet/(?:pods|plugins)"
              + "|pods/(?:"
              + UID
              + ")/[^/]+"
              + "|volumes/kubernetes\\.io~[^/]+"
              + "|plugins/kubernetes\\.io"
              + "|io\\.containerd\\.(?:runtime|snapshotter)\\.[^/]+"
              + "|containers/storage/[^/]+"
              + "|docker/(?:volumes|plugins|containers|overlay2|devicemapper|btrfs|zfs)"
              + "|kata-containers/shared)/.");

  private static final Pattern VOLUME =
      Pattern.compile("/pods/(" + UID + ")/(?:volumes/[^/]+|volume-subpaths)/([^/]+)");

  private PodFolders() {}

  /** A volume. */
  record Volume(String pod, String name) {}

  /** Whether a mount at this path belongs to pods. */
  static boolean contain(Path point) {
    return BELOW.matcher(point.toString()).find();
  }

  /** The volume mounted there; empty if the path does not name its pod. */
  static Optional<Volume> volume(Path point) {
    Matcher found = VOLUME.matcher(point.toString());
    return found.find()
        ? Optional.of(new Volume(found.group(1), found.group(2)))
        : Optional.empty();
  }
}
