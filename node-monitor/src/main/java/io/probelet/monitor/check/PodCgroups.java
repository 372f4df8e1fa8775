package io.probelet.monitor.check;

import io.probelet.monitor.track.PodCgroup;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cgroups of the node's pods, for both cgroup drivers of the kubelet. */
final class PodCgroups {
  /** The most folders listed. A node has some hundreds of pods. */
  private static final int MAX_FOLDERS = 5_000;

  /** {@code kubelet.slice/kubelet-kubepods.slice/…-burstable.slice/…-pod.slice} has four. */
  private static final int MAX_DEPTH = 6;

  private PodCgroups() {}

  private record Place(Path folder, int depth) {}

  /**
   * Finds them below the root cgroup.
   *
   * @param controller the controller whose tree is searched (cgroup v1)
   */
  static Map<String, Path> find(Machine machine, String controller) {
    Path root = machine.sys().resolve("fs/cgroup");
    if (!Files.exists(root.resolve("cgroup.controllers"))) {
      root = root.resolve(controller);
    }
    Map<String, Path> pods = new HashMap<>();
    Deque<Place> rest = new ArrayDeque<>();
    rest.add(new Place(root, 0));
    int seen = 0;
    while (!rest.isEmpty() && ++seen <= MAX_FOLDERS) {
      Place place = rest.removeFirst();
      rest.addAll(children(place, root, pods));
    }
    return pods;
  }

  /** Adds the pods among the children of a folder; returns the folders to search next. */
  private static List<Place> children(Place place, Path root, Map<String, Path> pods) {
    List<Place> further = new ArrayList<>();
    try (DirectoryStream<Path> children =
        Files.newDirectoryStream(place.folder(), "*{kube,pod,burstable,besteffort}*")) {
      for (Path child : children) {
        Optional<PodCgroup> pod = PodCgroup.of(root.relativize(child).toString());
        if (pod.isPresent()) {
          pods.putIfAbsent(pod.get().pod().podUid(), child);
        } else if (place.depth() < MAX_DEPTH && isFolder(child)) {
          further.add(new Place(child, place.depth() + 1));
        }
      }
    } catch (IOException | DirectoryIteratorException gone) {
      return further; // a cgroup disappears with its last process
    }
    return further;
  }

  private static boolean isFolder(Path child) {
    return Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS);
  }
}
