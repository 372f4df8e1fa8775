package io.probelet.runtime.cri;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where a node's container runtime listens. */
public final class CriEndpoint {
  /** The sockets of containerd, CRI-O and k3s, in the order they are tried. */
  private static final List<String> USUAL =
      List.of(
          "run/containerd/containerd.sock",
          "run/crio/crio.sock",
          "run/k3s/containerd/containerd.sock");

  private CriEndpoint() {}

  /**
   * Searches for a runtime at the usual places.
   *
   * @return the first socket that exists; empty if there is none
   */
  public static Optional<Path> find() {
    return find(Path.of("/"));
  }

  static Optional<Path> find(Path root) {
    return USUAL.stream().map(root::resolve).filter(Files::exists).findFirst();
  }

  /**
   * Reads an endpoint as a user writes it.
   *
   * @param text a path, or {@code unix://} and a path; the path is absolute
   * @return the socket's path, which need not exist yet
   * @throws IllegalArgumentException if it is anything else; the message says what would be right
   */
  public static Path parse(String text) {
    String path = text.startsWith("unix://") ? text.substring("unix://".length()) : text;
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "runtime endpoint \""
              + text
              + "\" is not a unix socket; write it like unix:///run/containerd/containerd.sock");
    }
    return Path.of(path);
  }
}
